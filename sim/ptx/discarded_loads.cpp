// Counts how registers are used, and looks for loads whose value only one `selp` uses.
#include "sim/ptx/discarded_loads.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace simt::ptx {
namespace {

struct uses_of_register {
  std::vector<std::size_t> read_by, set_by;  // indices of instructions, rising
};
using uses = std::map<std::string, uses_of_register>;

/// Whether operand 0 is a register that the instruction sets, and does nothing else with.
bool sets_first(const instruction& i) {
  static constexpr const char* setters[] = {"ld",  "mov", "setp", "selp", "add", "sub", "mul",
                                            "mad", "fma", "cvt",  "shl",  "shr", "and", "or",
                                            "xor", "not", "neg",  "min",  "max", "abs", "div",
                                            "rem", "bfe", "prmt", "shf",  "set", "popc"};
  return !i.operands.empty() && i.operands[0].what == operand::kind::reg &&
         std::ranges::find(setters, i.opcode) != std::end(setters);
}

void note(const operand& o, std::size_t at, uses& all) {
  if (!o.name.empty()) all[o.name].read_by.push_back(at);
  for (const operand& part : o.parts) note(part, at, all);
}

// What is not known to only set a register counts as reading it.
uses uses_in(const function& f) {
  uses all;
  for (std::size_t at = 0; at < f.instructions.size(); ++at) {
    const instruction& i = f.instructions[at];
    if (!i.guard.empty()) all[i.guard].read_by.push_back(at);
    for (std::size_t k = 0; k < i.operands.size(); ++k) {
      if (k == 0 && sets_first(i)) {
        all[i.operands[0].name].set_by.push_back(at);
      } else {
        note(i.operands[k], at, all);
      }
    }
  }
  return all;
}

/// A plain load of a register from a variable's known address.
bool is_plain_load(const instruction& i) {
  const auto is_one_of = [&](std::initializer_list<const char*> names) {
    return std::ranges::any_of(names, [&](const char* name) { return i.has(name); });
  };
  return i.opcode == "ld" && i.operands.size() == 2 && i.operands[0].what == operand::kind::reg &&
         i.operands[1].what == operand::kind::address && !i.operands[1].base_is_register &&
         is_one_of({"shared", "shared::cta", "global"}) &&
         !is_one_of({"volatile", "relaxed", "acquire", "mmio", "nc", "v2", "v4"});
}

/// Whether the instruction only computes registers, or loads as is_plain_load() says: a load may
/// come behind it as well.
bool may_be_crossed(const instruction& i) {
  return i.opcode == "ld" ? is_plain_load(i) : sets_first(i);
}

bool has_label(const function& f, std::size_t after, std::size_t until) {
  return std::ranges::any_of(f.labels,
                             [&](const label& l) { return l.at > after && l.at <= until; });
}

/// Whether instructions behind `first`, up to `last`, are come to from `first` on alone, and from
/// front to back: no branch leads to a label there from elsewhere or from further down.
bool is_entered_in_front(const function& f, std::size_t first, std::size_t last) {
  if (!f.targets.empty()) return false;
  for (std::size_t at = 0; at < f.instructions.size(); ++at) {
    const instruction& i = f.instructions[at];
    if (i.opcode != "bra" || i.operands.empty()) continue;
    const auto to = std::ranges::find(f.labels, i.operands[0].name, &label::name);
    if (to == f.labels.end()) return false;
    const bool is_inside = to->at > first && to->at <= last;
    if (is_inside && (at < first || at >= to->at)) return false;
  }
  return true;
}

bool are_within(const std::vector<std::size_t>& all, std::size_t first, std::size_t last) {
  return std::ranges::all_of(all, [&](std::size_t at) { return at > first && at < last; });
}

// Gives the load at `at` the condition of the only `selp` that uses its value. True: the load has
// moved.
bool guard_load(function& f, std::size_t at, const uses& all) {
  const std::string value = f.instructions[at].operands[0].name;
  const auto used = all.find(value);
  if (used == all.end() || used->second.read_by.size() != 1) return false;
  const std::size_t last = used->second.read_by.front();
  const instruction& select = f.instructions[last];
  if (last <= at || select.opcode != "selp" || !select.guard.empty() ||
      select.operands.size() != 4 || select.operands[3].what != operand::kind::reg ||
      select.operands[3].negated) {
    return false;
  }
  const bool is_first = select.operands[1].name == value;
  const std::string condition = select.operands[3].name;
  const auto of_condition = all.find(condition);
  if (of_condition == all.end()) return false;
  const auto& sets = of_condition->second.set_by;
  instruction load = f.instructions[at];
  load.guard = condition;
  load.guard_negated = !is_first;

  // The condition is set before, once, and holds until the `selp`.
  const bool is_set_before = sets.size() == 1 && sets.front() < at &&
                             f.instructions[sets.front()].opcode == "setp" &&
                             f.instructions[sets.front()].guard.empty();
  if (is_set_before && is_entered_in_front(f, sets.front(), last) &&
      are_within(used->second.set_by, sets.front(), last)) {
    f.instructions[at] = std::move(load);
    return false;
  }
  // Or the load can come behind all that is between it and the `selp`.
  if (has_label(f, at, last)) return false;
  const auto first = f.instructions.begin() + static_cast<std::ptrdiff_t>(at);
  const auto end = f.instructions.begin() + static_cast<std::ptrdiff_t>(last);
  if (!std::all_of(first + 1, end, may_be_crossed)) return false;
  const bool is_set_again = std::ranges::any_of(
      used->second.set_by, [&](std::size_t other) { return other > at && other < last; });
  if (is_set_again) return false;
  std::rotate(first, first + 1, end);
  *(end - 1) = std::move(load);
  return true;
}

void guard_discarded_loads(function& f) {
  uses all = uses_in(f);
  for (std::size_t at = f.instructions.size(); at-- > 0;) {
    const instruction& i = f.instructions[at];
    if (is_plain_load(i) && i.guard.empty() && guard_load(f, at, all)) all = uses_in(f);
  }
}

}  // namespace

void guard_discarded_loads(module& m) {
  for (kernel& k : m.kernels) guard_discarded_loads(static_cast<function&>(k));
  for (function& f : m.functions) guard_discarded_loads(f);
}

}  // namespace simt::ptx
