// Writes operands: registers, constants, addresses, special registers.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "sim/ptx/emit/emitter.hpp"
#include "sim/ptx/translate.hpp"

namespace simt::ptx {

std::string cpp_bits(std::uint32_t size) { return fmt::format("ptx::u{}", 8 * size); }
std::string cpp_bits(type t) { return cpp_bits(size_of(t)); }

std::string cpp_type(type t) {
  if (has_sign(t)) return fmt::format("ptx::s{}", 8 * size_of(t));
  if (t == type::f32) return "ptx::f32";
  if (t == type::f64) return "ptx::f64";
  return cpp_bits(t);
}

const register_declaration* emitter::find(const std::string& name) const {
  const auto found = registers_.find(name);
  return found == registers_.end() ? nullptr : found->second;
}

std::string emitter::name_of_register(const std::string& name) const {
  const auto found = register_names_.find(name);
  if (found == register_names_.end()) throw not_translated{"`" + name + "`, which is no register"};
  return found->second;
}

std::string emitter::literal(const operand& o, type t) const {
  std::uint64_t bits = o.bits;
  const std::uint32_t size = size_of(t);
  if (o.is_float && t == type::f32 && !o.is_f32) {
    bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
  } else if (o.is_float && t == type::f64 && o.is_f32) {
    const float narrow = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    bits = std::bit_cast<std::uint64_t>(static_cast<double>(narrow));
  }
  if (size < 8) bits &= (std::uint64_t{1} << 8 * size) - 1;
  const bool is_small = bits < 100'000;
  const std::string digits = is_small ? fmt::format("{}", bits) : fmt::format("{:#x}", bits);
  if (size == 8) return digits + "ull";
  if (size == 4) return digits + "u";
  return fmt::format("{}{{{}}}", cpp_bits(size), digits);
}

std::string emitter::in(const instruction& i, std::size_t k, type t) {
  if (k >= i.operands.size()) throw not_translated{"it has too few operands"};
  return in(i.operands[k], t);
}

std::string emitter::in(const operand& o, type t) {
  const std::uint32_t size = size_of(t);
  if (size == 0 || size > 8) throw not_translated{"values of that type"};
  switch (o.what) {
    case operand::kind::immediate: return literal(o, t);
    case operand::kind::symbol: {
      if (size < 4) throw not_translated{"a part of an address"};
      space where{};
      const std::string whole = symbol_address(o.name, o.offset, &where);
      return size == 8 ? whole : fmt::format("static_cast<ptx::u32>({})", whole);
    }
    case operand::kind::reg: break;
    default: throw not_translated{"an operand of that form"};
  }
  if (t == type::pred) return predicate(o);
  const register_declaration* r = find(o.name);
  if (r == nullptr) return special(o.name, t);
  if (r->kind == type::pred) throw not_translated{"a predicate as a number"};
  if (o.component != 0 || r->vector != 1) throw not_translated{"registers that are vectors"};
  if (o.negated) throw not_translated{"an operand with a sign"};
  const std::string name = name_of_register(o.name);
  const std::uint32_t has = size_of(r->kind);
  if (has == size) return name;
  return fmt::format("static_cast<{}>({})", cpp_bits(size), name);
}

std::string emitter::predicate(const operand& o) {
  if (o.what == operand::kind::immediate) return (o.bits != 0) != o.negated ? "true" : "false";
  const register_declaration* r = o.what == operand::kind::reg ? find(o.name) : nullptr;
  if (r == nullptr || r->kind != type::pred) throw not_translated{"a predicate of that form"};
  return (o.negated ? "!" : "") + name_of_register(o.name);
}

std::string emitter::set(const instruction& i, const std::string& value) {
  return set(i.operands.at(0), i.type_from_end(), value);
}

std::string emitter::set(const operand& to, type t, const std::string& value) {
  if (to.what == operand::kind::sink) return "";
  const register_declaration* r = to.what == operand::kind::reg ? find(to.name) : nullptr;
  if (r == nullptr) throw not_translated{"a result that is no register"};
  if (r->kind == type::pred || to.component != 0 || r->vector != 1) {
    throw not_translated{"a result in such a register"};
  }
  const std::string name = name_of_register(to.name);
  const std::uint32_t has = size_of(r->kind);
  std::string made = value;
  if (has == 0 || has > 8) throw not_translated{"registers of that type"};
  if (has > size_of(t)) {
    made = has_sign(t) ? fmt::format("ptx::widened<ptx::s{}, {}>({})", 8 * has, cpp_type(t), value)
                       : fmt::format("static_cast<{}>({}({}))", cpp_bits(has), cpp_bits(t), value);
  } else if (has < size_of(t)) {
    made = fmt::format("static_cast<{}>({})", cpp_bits(has), value);
  }
  if (!guard_.empty())
    made = fmt::format("ptx::select<{}>({}, {}, {})", cpp_bits(has), guard_, made, name);
  return fmt::format("{} = {};", name, made);
}

std::string emitter::set_predicate(const operand& to, const std::string& value) {
  if (to.what == operand::kind::sink) return "";
  const register_declaration* r = to.what == operand::kind::reg ? find(to.name) : nullptr;
  if (r == nullptr || r->kind != type::pred) throw not_translated{"a result that is no predicate"};
  const std::string name = name_of_register(to.name);
  if (guard_.empty()) return fmt::format("{} = {};", name, value);
  return fmt::format("{} = ({} & ({})) | (!{} & {});", name, guard_, value, guard_, name);
}

const variable* emitter::local_variable(const std::string& name) const {
  for (const variable& v : function_.variables) {
    if (v.name == name && (v.where == space::local || v.where == space::param)) return &v;
  }
  return nullptr;
}

bool emitter::is_parameter(const std::string& name) const {
  const auto is_it = [&](const parameter& p) { return p.name == name && !p.in_register; };
  return std::ranges::any_of(function_.parameters, is_it) ||
         std::ranges::any_of(function_.results, is_it);
}

std::string emitter::symbol_address(const std::string& name, std::int64_t offset, space* where) {
  std::string base;
  space found = space::generic;
  if (const variable* v = local_variable(name)) {
    base = fmt::format("reinterpret_cast<ptx::u64>(&{})", variable_names_.at(name));
    found = v->where;
  } else if (is_parameter(name)) {
    base = fmt::format("reinterpret_cast<ptx::u64>(&{})", variable_names_.at(name));
    if (!is_kernel_) base = fmt::format("reinterpret_cast<ptx::u64>({})", variable_names_.at(name));
    uses_parameters_ = true;
    found = space::param;
  } else if (const layout::placed_variable* placed = memory_.find(name, function_)) {
    found = placed->what->where;
    if (found == space::shared) {
      base = fmt::format("{}ull", shared_window + placed->offset);
    } else {
      base = fmt::format("reinterpret_cast<ptx::u64>(&{})", placed->name);
    }
  } else if (memory_.of().find_function(name) != nullptr) {
    throw not_translated{"the address of a function"};
  } else {
    throw not_translated{"`" + name + "`, which is declared nowhere"};
  }
  if (where != nullptr) *where = found;
  if (offset == 0) return base;
  return fmt::format("({} + {}ull)", base, static_cast<std::uint64_t>(offset));
}

std::string emitter::address(const operand& o, space where) {
  if (o.what != operand::kind::address || !o.parts.empty()) {
    throw not_translated{"an address of that form"};
  }
  std::string at;
  if (o.name.empty()) {
    at = fmt::format("{}ull", o.bits + static_cast<std::uint64_t>(o.offset));
  } else if (!o.base_is_register) {
    space of_symbol{};
    at = symbol_address(o.name, o.offset, &of_symbol);
    if (of_symbol == space::shared && where == space::generic) where = space::shared;
  } else {
    operand base;
    base.name = o.name;
    base.component = o.component;
    const register_declaration* r = find(o.name);
    if (r == nullptr) throw not_translated{"a special register as an address"};
    at = in(base, size_of(r->kind) == 4 ? type::b32 : type::b64);
    if (o.offset != 0) {
      at += size_of(r->kind) == 4 ? fmt::format(" + {}u", static_cast<std::uint32_t>(o.offset))
                                  : fmt::format(" + {}ull", static_cast<std::uint64_t>(o.offset));
    }
  }
  if (where != space::shared) return at;
  return fmt::format("{}(shared, {})", spans_cluster_ ? "cluster_at" : "shared_at", at);
}

std::string emitter::parameter_value(const operand& o, type t) {
  for (std::size_t n = 0; n < function_.parameters.size(); ++n) {
    const parameter& p = function_.parameters[n];
    if (p.name != o.name) continue;
    const auto offset = static_cast<std::uint64_t>(o.offset);
    if (offset + size_of(t) > p.size)
      throw not_translated{"an access behind the end of a parameter"};
    return memory_.argument_bits(n, offset, size_of(t));
  }
  throw not_translated{"`" + o.name + "`, which is no parameter"};
}

std::uint64_t emitter::parameter_place(const operand& o) const {
  const auto found = std::ranges::find(function_.parameters, o.name, &parameter::name);
  if (found == function_.parameters.end())
    throw not_translated{"`" + o.name + "`, which is no parameter"};
  const auto n = static_cast<std::size_t>(found - function_.parameters.begin());
  return parameter_offsets(function_)[n] + static_cast<std::uint64_t>(o.offset);
}

std::string emitter::label_name(const std::string& label) {
  const auto found = label_names_.find(label);
  if (found == label_names_.end()) throw not_translated{"`" + label + "`, which is no label here"};
  return found->second;
}

std::string emitter::special(const std::string& name, type t) {
  const launch& l = memory_.at();
  std::string value;
  const auto part_of = [&](std::string_view what, const std::array<std::uint32_t, 3>& shape,
                           const std::string& linear) {
    if (what.size() != 2 || what[1] < 'x' || what[1] > 'z') throw not_translated{name};
    const auto d = static_cast<std::size_t>(what[1] - 'x');
    if (shape[d] == 1) return std::string("0u");
    std::string part = linear;
    const std::uint32_t below = d == 0 ? 1 : d == 1 ? shape[0] : shape[0] * shape[1];
    std::uint32_t above = 1;
    for (std::size_t more = d + 1; more < 3; ++more) above *= shape[more];
    if (below != 1) part = fmt::format("{} / {}u", part, below);
    if (above != 1) part = fmt::format("{} % {}u", part, shape[d]);
    return below == 1 && above == 1 ? part : "(" + part + ")";
  };
  const auto size_of_part = [&](std::string_view what, const std::array<std::uint32_t, 3>& shape) {
    if (what.size() != 2 || what[1] < 'x' || what[1] > 'z') throw not_translated{name};
    return fmt::format("{}u", shape[static_cast<std::size_t>(what[1] - 'x')]);
  };
  const std::string_view n = name;
  const std::string thread = memory_.threads() <= 32
                                 ? "simt::lane_index()"
                                 : "(simt::warp_index() * 32u + simt::lane_index())";
  const std::uint32_t cluster = memory_.cluster();
  const std::array<std::uint32_t, 3> clusters{l.grid[0] / cluster, l.grid[1], l.grid[2]};
  const std::size_t dot = std::min(n.find('.'), n.size());
  const std::string_view stem = n.substr(0, dot), part = n.substr(dot);
  if (stem == "%tid")
    value = part_of(part, l.block, thread);
  else if (stem == "%ntid")
    value = size_of_part(part, l.block);
  else if (stem == "%ctaid")
    value = part_of(part, l.grid, "simt::block_index()");
  else if (stem == "%nctaid")
    value = size_of_part(part, l.grid);
  else if (stem == "%clusterid")
    value = part_of(
        part, clusters,
        cluster > 1 ? fmt::format("(simt::block_index() / {}u)", cluster) : "simt::block_index()");
  else if (stem == "%nclusterid")
    value = size_of_part(part, clusters);
  else if (stem == "%cluster_ctaid")
    value = part_of(part, {cluster, 1, 1}, "simt::cluster_block_rank()");
  else if (stem == "%cluster_nctaid")
    value = size_of_part(part, {cluster, 1, 1});
  else if (n == "%cluster_ctarank")
    value = cluster > 1 ? "simt::cluster_block_rank()" : "0u";
  else if (n == "%cluster_nctarank")
    value = fmt::format("{}u", cluster);
  else if (n == "%laneid")
    value = "simt::lane_index()";
  else if (n == "%warpid")
    value = memory_.threads() <= 32 ? "0u" : "simt::warp_index()";
  else if (n == "%nwarpid")
    value = fmt::format("{}u", (memory_.threads() + 31) / 32);
  else if (n == "%lanemask_eq")
    value = "(1u << simt::lane_index())";
  else if (n == "%lanemask_lt")
    value = "((1u << simt::lane_index()) - 1u)";
  else if (n == "%lanemask_le")
    value = "((2u << simt::lane_index()) - 1u)";
  else if (n == "%lanemask_gt")
    value = "~((2u << simt::lane_index()) - 1u)";
  else if (n == "%lanemask_ge")
    value = "~((1u << simt::lane_index()) - 1u)";
  else if (n == "%dynamic_smem_size")
    value = fmt::format("{}u", l.dynamic_shared);
  else if (n == "%total_smem_size")
    value = fmt::format("{}u", memory_.shared_size());
  else if (n == "%reserved_smem_offset_1")
    value = fmt::format(
        "static_cast<ptx::u32>(reinterpret_cast<ptx::u64>("
        "&simt::block_shared<ptx::kernel_reserved>()) - shared + {}u)",
        shared_window);
  else if (n == "%gridid")
    value = "1u";
  else if (n.starts_with("%envreg") && !l.cooperative)
    value = "0u";
  else if (n == "%envreg1")
    value = "static_cast<ptx::u32>(reinterpret_cast<ptx::u64>(&grid_workspace) >> 32)";
  else if (n == "%envreg2")
    value = "static_cast<ptx::u32>(reinterpret_cast<ptx::u64>(&grid_workspace))";
  else if (n.starts_with("%clock") || n.starts_with("%globaltimer"))
    throw not_translated{"the time is not known", true, true};
  else if (n.starts_with("%smid") || n.starts_with("%nsmid") || n.starts_with("%pm"))
    throw not_translated{"the value of " + name + " is not known", true};
  else
    throw not_translated{"the register " + name};
  if (size_of(t) == 4) return value;
  return fmt::format("static_cast<{}>({})", cpp_bits(t), value);
}

// --- checks ---

void emitter::want(const instruction& i, std::size_t least, std::size_t most) {
  if (i.operands.size() < least || i.operands.size() > most) {
    throw not_translated{"this number of operands"};
  }
}

void emitter::only(const instruction& i, std::initializer_list<std::string_view> known) const {
  for (const std::string& m : i.modifiers) {
    if (std::ranges::find(known, m) != known.end() || type_named(m) != type::none) continue;
    throw not_translated{"the modifier ." + m};
  }
}

type emitter::typed(const instruction& i, std::initializer_list<type> known) const {
  const type t = i.type_from_end();
  if (std::ranges::find(known, t) == known.end()) {
    throw not_translated{t == type::none ? std::string("an instruction without a known type")
                                         : std::string("its type .") + name_of(t)};
  }
  return t;
}

}  // namespace simt::ptx
