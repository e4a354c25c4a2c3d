// Writes what follows undefined values: those that a shuffle reads from a lane that takes no part.
//
// Each register that may hold one has a variable beside it, its origin: 0, or the line of the
// shuffle. Computations pass origins on. All else that reads the register is a use: `ptx::use`
// stops the lane there, unless the origin is 0 (docs/kernels.md, "Shuffles that miss a lane").
#include <algorithm>

#include <fmt/format.h>

#include "sim/ptx/emit/emitter.hpp"
#include "sim/ptx/emit/source_line.hpp"
#include "sim/ptx/flow.hpp"

namespace simt::ptx {
namespace {

bool has_opcode_of(const instruction& i, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, i.opcode) != names.end();
}

/// Whether operand 0 has the registers that the instruction sets, and it sets no others.
bool sets_only_first(const instruction& i) {
  return !i.operands.empty() &&
         (only_computes(i) ||
          has_opcode_of(i, {"ld", "ldu", "atom", "shfl", "vote", "match", "redux", "elect",
                            "activemask", "addc", "subc", "madc", "add", "sub", "mad"}));
}

/// Whether the operand is certainly the mask of all lanes: as a number, or as a register that gets
/// only this number. (nvcc moves it to a register.)
bool is_full_mask(const function& f, const operand& o) {
  if (o.what == operand::kind::immediate) return static_cast<std::uint32_t>(o.bits) == 0xffffffff;
  if (o.what != operand::kind::reg) return false;
  const instruction* only = nullptr;
  for (const instruction& i : f.instructions) {
    std::vector<std::string> set;
    if (!i.operands.empty()) list_registers(i.operands[0], set);
    if (std::ranges::find(set, o.name) == set.end()) continue;
    if (only != nullptr) return false;
    only = &i;
  }
  return only != nullptr && only->opcode == "mov" && only->guard.empty() &&
         only->operands.size() == 2 && only->operands[0].what == operand::kind::reg &&
         only->operands[1].what == operand::kind::immediate && is_full_mask(f, only->operands[1]);
}

/// Whether a lane may come to its end without the instruction.
bool may_be_passed_by(const function& f, std::size_t avoided) {
  std::vector<char> seen(f.instructions.size(), 0);
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at >= f.instructions.size()) return true;
    if (at == avoided || seen[at] != 0) continue;
    seen[at] = 1;
    if (has_opcode_of(f.instructions[at], {"ret", "exit", "trap"})) return true;
    const std::vector<std::size_t> next = successors(f, at);
    open.insert(open.end(), next.begin(), next.end());
  }
  return false;
}

}  // namespace

// Where a shuffle of the kernel certainly finds all lanes of the warp, nothing need be followed.
// Either all shuffles follow undefined values or none does: one may answer another.
bool emitter::shuffles_may_miss(const layout& memory) {
  if (memory.at().is_for_one_run) return false;
  const auto is_shuffle = [](const instruction& i) { return i.opcode == "shfl"; };
  for (const function* f : memory.functions()) {
    if (std::ranges::any_of(f->instructions, is_shuffle)) return true;
  }
  const function& f = memory.of_kernel();
  for (std::size_t n = 0; n < f.instructions.size(); ++n) {
    const instruction& i = f.instructions[n];
    if (!is_shuffle(i)) continue;
    const bool names_all =
        i.has("sync") && i.operands.size() == 5 && is_full_mask(f, i.operands[4]);
    if (!names_all || !i.guard.empty() || may_be_passed_by(f, n)) return true;
    if (memory.is_real() && memory.threads() % 32 != 0) return true;
  }
  return false;
}

void emitter::find_origins() {
  follows_undefined_ = shuffles_may_miss(memory_);
  if (!follows_undefined_) return;
  const auto add = [&](const operand& to) {
    std::vector<std::string> all;
    list_registers(to, all);
    bool is_new = false;
    for (const std::string& r : all) {
      const bool has_none = find(r) == nullptr || is_result(r) || origins_.contains(r);
      if (has_none) continue;
      origins_[r] = names_.take("origin_of_" + register_names_.at(r));
      is_new = true;
    }
    return is_new;
  };
  for (bool grows = true; grows;) {
    grows = false;
    for (const instruction& i : function_.instructions) {
      if (i.opcode == "shfl" && !i.operands.empty()) {
        const operand& to = i.operands[0];
        grows |= add(to.what == operand::kind::pair ? to.parts[0] : to);
      } else if (only_computes(i) && reads_undefined(i)) {
        grows |= add(i.operands[0]);
      }
    }
  }
}

bool emitter::is_result(const std::string& name) const {
  return std::ranges::any_of(function_.results, [&](const parameter& p) { return p.name == name; });
}

bool emitter::reads_undefined(const instruction& i) const {
  std::vector<std::string> read;
  for (std::size_t k = 1; k < i.operands.size(); ++k) list_registers(i.operands[k], read);
  if (!i.guard.empty()) read.push_back(i.guard);
  return std::ranges::any_of(read, [&](const std::string& r) { return origins_.contains(r); });
}

std::string emitter::origin(const operand& o) const {
  std::vector<std::string> all;
  list_registers(o, all);
  return origin(all);
}

std::string emitter::origin(const std::vector<std::string>& registers) const {
  std::string text;
  for (const std::string& r : registers) {
    const auto found = origins_.find(r);
    if (found == origins_.end()) continue;
    text = text.empty() ? found->second : fmt::format("ptx::either({}, {})", found->second, text);
  }
  return text.empty() ? "0u" : text;
}

// The origin of what the instruction computes.
std::string emitter::computed_origin(const instruction& i) {
  const auto& from = i.operands;
  std::vector<std::string> read;
  for (std::size_t k = 1; k < from.size(); ++k) list_registers(from[k], read);
  const std::string any = origin(read);
  if (i.opcode == "selp" && from.size() == 4) {
    return fmt::format("ptx::either({}, ptx::select<ptx::u32>({}, {}, {}))", origin(from[3]),
                       predicate(from[3]), origin(from[1]), origin(from[2]));
  }
  const bool is_and = i.has("and") || i.opcode == "and";
  const bool is_or = i.has("or") || i.opcode == "or";
  if ((i.opcode == "and" || i.opcode == "or") && i.type_from_end() == type::pred &&
      from.size() == 3) {
    const char* const sign = is_or ? "!" : "";
    return fmt::format("ptx::origin_of_and({0}({1}), {2}, {0}({3}), {4})", sign, predicate(from[1]),
                       origin(from[1]), predicate(from[2]), origin(from[2]));
  }
  // Whatever is compared, the predicate may decide.
  if (i.opcode == "setp" && (is_and || is_or) && from.size() == 4) {
    return fmt::format("ptx::select<ptx::u32>(({} == 0) & {}({}), 0u, {})", origin(from[3]),
                       is_and ? "!" : "", predicate(from[3]), any);
  }
  return any;
}

std::string emitter::followed(const instruction& i) {
  if (origins_.empty()) return "";
  const std::string guard =
      i.guard.empty() ? "" : (i.guard_negated ? "!" : "") + name_of_register(i.guard);
  const std::string of_guard = i.guard.empty() ? "0u" : origin(std::vector<std::string>{i.guard});
  const auto where_guarded = [&](const std::string& then, const std::string& otherwise) {
    if (guard.empty() || then == otherwise) return then;
    return fmt::format("ptx::select<ptx::u32>({}, {}, {})", guard, then, otherwise);
  };
  std::vector<std::string> set;
  if (sets_only_first(i)) list_registers(i.operands[0], set);
  const bool may_pass_on = only_computes(i) && std::ranges::none_of(set, [&](const std::string& r) {
                             return is_result(r);
                           });
  std::string text;
  std::string made = "0u";
  if (may_pass_on) {
    made = computed_origin(i);
  } else {
    std::vector<std::string> read;
    for (std::size_t k = sets_only_first(i) ? 1 : 0; k < i.operands.size(); ++k) {
      if (i.opcode != "shfl" || k != 1) list_registers(i.operands[k], read);
    }
    std::string used = where_guarded(origin(read), "0u");
    if (of_guard != "0u") {
      used = used == "0u" ? of_guard : fmt::format("ptx::either({}, {})", of_guard, used);
    }
    if (used != "0u") text += fmt::format("ptx::use({}); ", used);
    // The shuffle sets the origin of its first result itself.
    if (i.opcode == "shfl") {
      const operand& to = i.operands[0];
      set.clear();
      if (to.what == operand::kind::pair) list_registers(to.parts[1], set);
    }
  }
  std::erase_if(set, [&](const std::string& r) { return !origins_.contains(r); });
  if (set.empty()) return text;
  text += fmt::format("{{ const ptx::u32 made = {}; ", made);
  for (const std::string& r : set) {
    const std::string& name = origins_.at(r);
    std::string value = where_guarded("made", name);
    if (may_pass_on && of_guard != "0u")
      value = fmt::format("ptx::either({}, {})", of_guard, value);
    text += fmt::format("{} = {}; ", name, value);
  }
  return text + "} ";
}

std::string emitter::set_shuffled(const instruction& i, const operand& to) {
  const std::string line = fmt::format("{}u", place_of(memory_.of(), i).line);
  const std::string made = fmt::format("ptx::origin_of(moved, {})", line);
  std::string text = " " + set(to, type::u32, "ptx::value_of(moved)");
  if (to.what != operand::kind::reg) return text;
  const auto found = origins_.find(to.name);
  return text + (found == origins_.end() ? fmt::format(" ptx::use({});", made)
                                         : fmt::format(" {} = {};", found->second, made));
}

std::string emitter::declared_origins() const {
  std::string text;
  for (const auto& [of, name] : origins_) {
    text += fmt::format("{}{} = 0", text.empty() ? "  ptx::u32 " : ", ", name);
  }
  return text.empty() ? text : text + ";\n";
}

}  // namespace simt::ptx
