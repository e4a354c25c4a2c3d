// Writes moves, loads, stores, atomics and fences.
#include <algorithm>

#include <fmt/format.h>

#include "sim/ptx/emit/emitter.hpp"

namespace simt::ptx {
namespace {

using enum type;

/// The first of the names that the instruction has as a modifier. Null: none.
const char* first_of(const instruction& i, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (i.has(name)) return name;
  }
  return nullptr;
}

bool is_strong(const instruction& i) {
  return first_of(i, {"relaxed", "acquire", "release", "acq_rel"}) != nullptr;
}

/// Whether a vector's elements within 8 bytes are one access: PTX leaves their order open.
bool is_told_as_one(const instruction& i) { return is_strong(i) || i.has("volatile"); }

const std::vector<operand>& parts_of(const operand& o, std::vector<operand>& one) {
  if (o.what == operand::kind::vector) return o.parts;
  one = {o};
  return one;
}

}  // namespace

space emitter::space_of(const instruction& i) const {
  for (const std::string& m : i.modifiers) {
    const std::string_view stem = std::string_view(m).substr(0, m.find("::"));
    if (stem == "global") return space::global;
    if (stem == "shared") return space::shared;
    if (stem == "local") return space::local;
    if (stem == "const") return space::constant;
    if (stem == "param") return space::param;
  }
  return space::generic;
}

std::string emitter::memory_scope(const instruction& i) const {
  if (i.has("cta")) return "simt::thread_scope_block";
  if (i.has("cluster"))
    return memory_.cluster() > 1 ? "simt::thread_scope_cluster" : "simt::thread_scope_block";
  if (i.has("sys")) return "simt::thread_scope_system";
  return "simt::thread_scope_device";
}

std::string emitter::memory_order_of(const instruction& i, const char* otherwise) const {
  const char* order = first_of(i, {"relaxed", "acquire", "release", "acq_rel"});
  return fmt::format("simt::memory_order_{}", order == nullptr ? otherwise : order);
}

std::optional<std::string> emitter::move(const instruction& i) {
  const std::string& op = i.opcode;
  if (op == "cvta") {
    want(i, 2, 2);
    const type t = i.type_from_end();
    if (size_of(t) != 8) throw not_translated{"generic addresses of 32 bits"};
    const space where = space_of(i);
    const bool to_space = i.has("to");
    std::string value = in(i, 1, u64);
    if (where == space::shared) {
      const bool many = memory_.cluster() > 1;
      const char* const to_generic = spans_cluster_ ? "cluster_at" : "shared_at";
      value = fmt::format("{}(shared, {})",
                          !to_space ? to_generic
                          : many    ? "in_cluster"
                                    : "in_shared",
                          value);
    }
    return set(i, value);
  }
  if (op == "isspacep") {
    want(i, 2, 2);
    const space where = space_of(i);
    const std::string at = in(i, 1, u64);
    const bool is_in_window = spans_cluster_ || (where == space::global && memory_.cluster() > 1);
    if (is_in_window && memory_.has_shared()) {
      return set_predicate(i.operands[0],
                           fmt::format("{}ptx::is_in_cluster<ptx::kernel_shared, {}>({})",
                                       where == space::global ? "!" : "", memory_.cluster(), at));
    }
    if (where == space::shared)
      return set_predicate(i.operands[0], fmt::format("is_shared(shared, {})", at));
    const bool has_local = std::ranges::any_of(
        function_.variables, [](const variable& v) { return v.where == space::local; });
    if (has_local) throw not_translated{"whether an address is in that space"};
    if (where == space::global && !memory_.has_shared())
      return set_predicate(i.operands[0], "true");
    if (where == space::global)
      return set_predicate(i.operands[0], fmt::format("!is_shared(shared, {})", at));
    throw not_translated{"whether an address is in that space"};
  }
  if (op == "mapa") {
    want(i, 3, 3);
    const type t = i.type_from_end();
    if (memory_.cluster() == 1) return set(i, in(i, 1, t));
    const std::string rank = in(i, 2, u32);
    const std::string from = space_of(i) == space::shared
                                 ? in(i, 1, t)
                                 : fmt::format("in_cluster(shared, {})", in(i, 1, t));
    const std::string mapped = fmt::format("ptx::mapped_to({}, {})", from, rank);
    return set(i, space_of(i) == space::shared
                      ? fmt::format("static_cast<{}>({})", cpp_bits(t), mapped)
                      : fmt::format("cluster_at(shared, {})", mapped));
  }
  if (op == "getctarank") {
    want(i, 2, 2);
    if (memory_.cluster() == 1) return set(i.operands[0], u32, "0u");
    const bool is_generic = space_of(i) != space::shared;
    const std::string of =
        in(i, 1, i.type_from_end() == u64 || i.type_from_end() == b64 ? u64 : u32);
    return set(i.operands[0], u32,
               fmt::format("ptx::rank_of({})",
                           is_generic ? fmt::format("in_cluster(shared, {})", of) : of));
  }
  if (op != "mov") return std::nullopt;
  only(i, {});
  want(i, 2, 2);
  const type t = i.type_from_end();
  if (t == pred) return set_predicate(i.operands[0], predicate(i.operands[1]));
  const operand& to = i.operands[0];
  const operand& from = i.operands[1];
  const std::uint32_t size = size_of(t);
  if (size > 8) throw not_translated{"values of 16 bytes"};
  if (from.what == operand::kind::vector) {
    const auto part = static_cast<std::uint32_t>(size / from.parts.size());
    if (part == 0 || part * from.parts.size() != size) throw not_translated{"these parts"};
    std::string value;
    for (std::size_t k = 0; k < from.parts.size(); ++k) {
      const type of_part = part == 1 ? u8 : part == 2 ? u16 : u32;
      value += fmt::format("{}static_cast<{}>({}) << {}", k == 0 ? "" : " | ", cpp_bits(size),
                           in(from.parts[k], of_part), 8 * part * k);
    }
    return set(to,
               size == 2   ? b16
               : size == 4 ? b32
                           : b64,
               fmt::format("static_cast<{}>({})", cpp_bits(size), value));
  }
  if (to.what == operand::kind::vector) {
    const auto part = static_cast<std::uint32_t>(size / to.parts.size());
    if (part == 0 || part * to.parts.size() != size) throw not_translated{"these parts"};
    const type of_part = part == 1 ? b8 : part == 2 ? b16 : b32;
    std::string text = fmt::format("{{ const {} whole = {};", cpp_bits(size), in(from, t));
    for (std::size_t k = 0; k < to.parts.size(); ++k) {
      text += " " + set(to.parts[k], of_part,
                        fmt::format("static_cast<{}>(whole >> {})", cpp_bits(part), 8 * part * k));
    }
    return text + " }";
  }
  return set(to, t, in(from, t));
}

bool emitter::accesses_as_one(const instruction& i) {
  if ((i.opcode != "ld" && i.opcode != "st") || !is_told_as_one(i)) return false;
  const std::uint32_t each = size_of(i.type_from_end());
  return each < 8 && std::ranges::any_of(i.operands, [](const operand& one) {
           return one.what == operand::kind::vector;
         });
}

/// The value of one access.
std::string emitter::load(const instruction& i, space where, const std::string& at, type t) {
  const std::string bits = cpp_bits(t);
  if (i.has("nc")) return fmt::format("ptx::load_constant<{}>({})", bits, at);
  if (where == space::constant)
    return fmt::format("ptx::load_const<{0}>({1}, is_constant({1}, {2}))", bits, at, size_of(t));
  if (where == space::local || where == space::param) {
    return fmt::format("ptx::load<{}>({})", bits, at);
  }
  if (i.has("volatile")) return fmt::format("ptx::load_volatile<{}>({})", bits, at);
  if (!is_strong(i)) return fmt::format("ptx::load<{}>({})", bits, at);
  return fmt::format("ptx::load_strong<{}, {}, {}>({})", bits, memory_scope(i),
                     memory_order_of(i, "relaxed"), at);
}

std::optional<std::string> emitter::memory(const instruction& i) {
  const std::string& op = i.opcode;
  if (op == "prefetch" || op == "prefetchu" || op == "applypriority" || op == "createpolicy") {
    if (op == "createpolicy") throw not_translated{"a cache policy", true};
    return "";
  }
  if (op == "ldu") {
    instruction plain = i;
    plain.opcode = "ld";
    return memory(plain);
  }
  if (op != "ld" && op != "st") return std::nullopt;
  only(i, {"weak",
           "volatile",
           "relaxed",
           "acquire",
           "release",
           "mmio",
           "cta",
           "cluster",
           "gpu",
           "sys",
           "global",
           "shared",
           "shared::cta",
           "shared::cluster",
           "local",
           "const",
           "param",
           "param::entry",
           "param::func",
           "ca",
           "cg",
           "cs",
           "lu",
           "cv",
           "wb",
           "wt",
           "nc",
           "v2",
           "v4",
           "v8",
           "L1::evict_normal",
           "L1::evict_unchanged",
           "L1::evict_first",
           "L1::evict_last",
           "L1::no_allocate",
           "L2::64B",
           "L2::128B",
           "L2::256B",
           "L2::cache_hint",
           "L2::evict_first",
           "L2::evict_last",
           "L2::evict_normal",
           "unified"});
  const type t = i.type_from_end();
  const space where = space_of(i);
  const bool loads = op == "ld";
  want(i, 2, i.has("L2::cache_hint") ? 3 : 2);
  const operand& place = i.operands[loads ? 1 : 0];
  const operand& value = i.operands[loads ? 0 : 1];
  std::vector<operand> one;
  const std::vector<operand>& parts = parts_of(value, one);
  const std::uint32_t each = size_of(t);
  if (each == 0 || each > 8 || t == pred) throw not_translated{"an access of that type"};
  const type unit = each == 1 ? (has_sign(t) ? s8 : u8) : t;

  // A kernel's parameters are constants of the launch.
  const auto whole_size = static_cast<std::uint32_t>(each * parts.size());
  const bool is_own_parameter = is_kernel_ && !place.base_is_register && is_parameter(place.name);
  if (loads && is_own_parameter) {
    if (parameter_place(place) % whole_size != 0)
      throw not_translated{"an access to a parameter at no multiple of its size"};
    if (!memory_.is_real()) {
      std::string text;
      for (const operand& part : parts) text += set(part, t, "0");
      return text;
    }
    std::string text;
    operand at = place;
    for (const operand& part : parts) {
      text += (text.empty() ? "" : " ") + set(part, t, parameter_value(at, t));
      at.offset += each;
    }
    return text;
  }
  if (!loads && is_own_parameter) throw not_translated{"a store to a kernel's parameter"};

  // The access is to a known place that only this lane has, so no integer is made of its address.
  std::string own;
  std::uint64_t offset = 0;
  if (const auto target = local_target(place, whole_size)) {
    own = variable_names_.at(target->to->name);
    offset = static_cast<std::uint64_t>(target->offset);
  } else if ((where == space::param || where == space::local) && !place.base_is_register &&
             !place.name.empty()) {
    const auto found = variable_names_.find(place.name);
    if (found == variable_names_.end()) {
      throw not_translated{"`" + place.name + "`, which is declared nowhere"};
    }
    own = found->second;
    offset = static_cast<std::uint64_t>(place.offset);
  }
  if (!own.empty()) {
    std::string text;
    if (offset % whole_size != 0) {
      return fmt::format("(void)ptx::to_{}(reinterpret_cast<ptx::u64>({} + {}), {}u);",
                         loads ? "load" : "store", own, offset, whole_size);
    }
    for (const operand& part : parts) {
      const std::string cell = fmt::format("ptx::own<{}>({} + {})", cpp_bits(t), own, offset);
      text += (text.empty() ? "" : " ") +
              (loads ? set(part, unit, cell) : fmt::format("{} = {};", cell, in(part, unit)));
      offset += each;
    }
    return text;
  }

  const std::string at = address(place, where);
  const std::string compared = compared_with_copies(where, at, whole_size, !loads);
  if (parts.size() == 1) {
    if (loads) return compared + set(parts[0], unit, load(i, where, at, t));
    const std::string v = in(parts[0], unit);
    if (where == space::local || where == space::param || (!is_strong(i) && !i.has("volatile"))) {
      return fmt::format("{}ptx::store<{}>({}, {});", compared, cpp_bits(t), at, v);
    }
    if (i.has("volatile"))
      return fmt::format("{}ptx::store_volatile<{}>({}, {});", compared, cpp_bits(t), at, v);
    return fmt::format("{}ptx::store_strong<{}, {}, {}>({}, {});", compared, cpp_bits(t),
                       memory_scope(i), memory_order_of(i, "relaxed"), at, v);
  }
  // A weak vector is accessed element by element. Of a strong one, what lies within 8 bytes is
  // accessed as one, as GPUs do.
  const std::uint32_t piece = is_told_as_one(i) ? std::min<std::uint32_t>(whole_size, 8) : each;
  const type of_piece = piece == 8 ? u64 : piece == 4 ? u32 : piece == 2 ? u16 : u8;
  const std::uint32_t per_piece = piece / each;
  std::string text = fmt::format("{{ {}const ptx::u64 at = ptx::to_{}({}, {}u);", compared,
                                 loads ? "load" : "store", at, whole_size);
  std::string after;
  for (std::uint32_t p = 0; p * piece < whole_size; ++p) {
    const std::string place_of_piece = p == 0 ? "at" : fmt::format("at + {}", p * piece);
    if (loads) {
      text += fmt::format(" const {} piece{} = {};", cpp_bits(piece), p,
                          load(i, where, place_of_piece, of_piece));
      for (std::uint32_t k = 0; k < per_piece; ++k) {
        after +=
            " " + set(parts[p * per_piece + k], unit,
                      fmt::format("static_cast<{}>(piece{} >> {})", cpp_bits(t), p, 8 * each * k));
      }
      continue;
    }
    std::string whole;
    for (std::uint32_t k = 0; k < per_piece; ++k) {
      whole += fmt::format("{}static_cast<{}>({}) << {}", k == 0 ? "" : " | ", cpp_bits(piece),
                           in(parts[p * per_piece + k], unit), 8 * each * k);
    }
    whole = fmt::format("static_cast<{}>({})", cpp_bits(piece), whole);
    if (is_strong(i)) {
      text += fmt::format(" ptx::store_strong<{}, {}, {}>({}, {});", cpp_bits(piece),
                          memory_scope(i), memory_order_of(i, "relaxed"), place_of_piece, whole);
    } else {
      text += fmt::format(" ptx::store{}<{}>({}, {});", i.has("volatile") ? "_volatile" : "",
                          cpp_bits(piece), place_of_piece, whole);
    }
  }
  return text + after + " }";
}

// Finds the registers that are more than the destination of an `atom`. Any other use counts as one
// that reads.
void emitter::find_unread_results() {
  const auto add = [&](const operand& o, const auto& self) -> void {
    if (!o.name.empty()) read_registers_.insert(o.name);
    for (const operand& part : o.parts) self(part, self);
  };
  for (const parameter& p : function_.results) read_registers_.insert(p.name);
  for (const instruction& i : function_.instructions) {
    if (!i.guard.empty()) read_registers_.insert(i.guard);
    for (std::size_t k = 0; k < i.operands.size(); ++k) {
      const operand& o = i.operands[k];
      const bool only_set = k == 0 && i.opcode == "atom" && o.what == operand::kind::reg;
      if (!only_set) add(o, add);
    }
  }
}

std::optional<std::string> emitter::atomic(const instruction& i) {
  const std::string& op = i.opcode;
  if (op == "membar") {
    const char* scope = first_of(i, {"cta", "gl", "sys"});
    if (scope == nullptr || i.has("proxy")) throw not_translated{"a fence of proxies"};
    const std::string name = scope == std::string_view("cta")  ? "block"
                             : scope == std::string_view("gl") ? "device"
                                                               : "system";
    return fmt::format(
        "simt::atomic_thread_fence(simt::memory_order_seq_cst, simt::thread_scope_{});", name);
  }
  if (op == "fence") {
    // Orders initializations of mbarriers before what other blocks of a cluster, and copies, do.
    if (i.has("mbarrier_init")) {
      only(i, {"mbarrier_init", "release", "cluster"});
      return std::string(memory_.has_bulk_copies() ? "bulk.fence_mbarriers(); " : "") +
             (memory_.tells_inits() ? "tells_inits = true;" : "");
    }
    if (i.has("proxy") && i.has("async")) {
      only(i, {"proxy", "async", "global", "shared::cta", "shared::cluster"});
      if (!memory_.has_bulk_copies()) return "";
      const space where = space_of(i);
      return fmt::format("bulk.fence({});", where == space::shared   ? 1
                                            : where == space::global ? 2
                                                                     : 3);
    }
    for (const std::string& m : i.modifiers) {
      if (m.starts_with("proxy") || m.starts_with("sync_restrict")) {
        throw not_translated{"a fence of proxies"};
      }
    }
    only(i, {"sc", "acq_rel", "acquire", "release", "cta", "cluster", "gpu", "sys"});
    const char* order = first_of(i, {"sc", "acq_rel", "acquire", "release"});
    const std::string name = order == nullptr                  ? "acq_rel"
                             : order == std::string_view("sc") ? "seq_cst"
                                                               : order;
    if (name == "acquire" || name == "release") {
      return fmt::format("ptx::fence_one_sided<simt::memory_order_{}>({});", name, memory_scope(i));
    }
    return fmt::format("simt::atomic_thread_fence(simt::memory_order_{}, {});", name,
                       memory_scope(i));
  }
  if (op != "atom" && op != "red") return std::nullopt;
  const bool returns = op == "atom";
  only(i, {"relaxed", "acquire", "release", "acq_rel", "cta",         "cluster",
           "gpu",     "sys",     "global",  "shared",  "shared::cta", "shared::cluster",
           "and",     "or",      "xor",     "cas",     "exch",        "add",
           "inc",     "dec",     "min",     "max",     "noftz",       "v2",
           "v4",      "v8"});
  const type t = i.type_from_end();
  const char* what =
      first_of(i, {"and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max"});
  if (what == nullptr) throw not_translated{"this operation"};
  const std::string name = what;
  const std::size_t value_at = returns ? 2 : 1;
  const std::size_t count = value_at + (name == "cas" ? 2 : 1);
  want(i, count, count);
  const std::uint32_t size = size_of(t);
  const operand& value = i.operands[value_at];
  const bool is_half = t == f16 || t == bf16;
  const bool is_pair = t == f16x2 || t == bf16x2;
  const bool is_vector = value.what == operand::kind::vector;
  const bool is_word = size == 4 || size == 8 || (size == 2 && (name == "cas" || is_half));
  if (!is_word || (is_vector && (!is_float(t) || size == 8))) {
    throw not_translated{"an atomic operation on that type"};
  }
  std::string kind;
  if (name == "and" || name == "or" || name == "xor") kind = "bit_" + name;
  if (name == "exch") kind = "exchange";
  if (name == "cas") kind = "compare_exchange";
  if (name == "add") kind = "add";
  if (name == "inc") kind = "add_wrap";
  if (name == "dec") kind = "sub_wrap";
  if (name == "min" || name == "max") kind = name + (has_sign(t) ? "_signed" : "_unsigned");
  // What add_float adds, if its size does not say it.
  std::string third;
  if (is_float(t)) {
    if (name != "add") throw not_translated{"an atomic operation on that type"};
    kind = "add_float";
    if (is_half || is_pair) third = t == f16 || t == f16x2 ? ", ptx::adds_f16" : ", ptx::adds_bf16";
  }
  const bool is_cas = name == "cas";
  if (is_cas) third = ", " + in(i, value_at, t);
  const operand& place = i.operands[returns ? 1 : 0];
  const std::string at = address(place, space_of(i));
  const bool is_red = !returns || i.operands[0].what == operand::kind::sink;
  const bool is_unread = !is_red && i.operands[0].what == operand::kind::reg &&
                         !read_registers_.contains(i.operands[0].name);
  const char* const call = is_red ? "red" : is_unread ? "atom_unused" : "atom";
  const auto one = [&](const std::string& cell, const operand& with) {
    return fmt::format("ptx::{}<ptx::memory_kind::{}, {}, {}, {}>({}, {}{})", call, kind,
                       cpp_bits(t), memory_scope(i), memory_order_of(i, "relaxed"), cell,
                       in(with, t), third);
  };
  if (!is_vector) {
    const std::string compared = compared_with_copies(space_of(i), at, size, true);
    const std::string text = one(at, is_cas ? i.operands[value_at + 1] : value);
    return compared + (is_red || is_unread ? text + ";" : set(i.operands[0], t, text));
  }
  // PTX ISA, "atom": of a vector, each element is changed on its own.
  const std::size_t elements = value.parts.size();
  if (!is_red && i.operands[0].parts.size() != elements)
    throw not_translated{"an operand of that form"};
  const std::size_t whole = size * elements;
  std::string text = fmt::format("{{ const ptx::u64 at = ptx::to_store({}, {}u); {}", at, whole,
                                 compared_with_copies(space_of(i), "at", whole, true));
  std::string after;
  for (std::size_t k = 0; k < elements; ++k) {
    const std::string changed = one(fmt::format("at + {}", size * k), value.parts[k]);
    if (is_red) {
      text += " " + changed + ";";
    } else {
      text += fmt::format(" const {} old{} = {};", cpp_bits(t), k, changed);
      after += " " + set(i.operands[0].parts[k], t, fmt::format("old{}", k));
    }
  }
  return text + after + " }";
}

}  // namespace simt::ptx
