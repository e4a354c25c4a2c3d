// Counts how registers are used, and looks for loads whose value only one `selp` uses, as it is or
// behind computations.
#include "sim/ptx/discarded_loads.hpp"

#include <algorithm>
#include <map>
#include <optional>
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
  // With .cc the instruction sets the carry as well.
  return !i.operands.empty() && i.operands[0].what == operand::kind::reg && !i.has("cc") &&
         std::ranges::find(setters, i.opcode) != std::end(setters);
}

void note(const operand& o, std::size_t at, bool may_set, uses& all) {
  if (!o.name.empty()) {
    all[o.name].read_by.push_back(at);
    if (may_set) all[o.name].set_by.push_back(at);
  }
  for (const operand& part : o.parts) note(part, at, may_set, all);
}

bool names(const operand& o, const std::string& name) {
  return o.name == name ||
         std::ranges::any_of(o.parts, [&](const operand& part) { return names(part, name); });
}

// What is not known to only set a register counts as reading and setting it, such as `r|p`.
uses uses_in(const function& f) {
  uses all;
  for (std::size_t at = 0; at < f.instructions.size(); ++at) {
    const instruction& i = f.instructions[at];
    if (!i.guard.empty()) all[i.guard].read_by.push_back(at);
    for (std::size_t k = 0; k < i.operands.size(); ++k) {
      if (k == 0 && sets_first(i)) {
        all[i.operands[0].name].set_by.push_back(at);
      } else {
        note(i.operands[k], at, k == 0, all);
      }
    }
  }
  for (const parameter& p : f.results) all[p.name].read_by.push_back(f.instructions.size());
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

/// Whether instructions behind `first`, up to `last`, are reached from `first` alone, and from
/// front to back. Then no branch leads to a label there from elsewhere or from further down.
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

/// A branch leads back to `until`, or to what is in front of it.
bool has_loop_around(const function& f, std::size_t until) {
  for (std::size_t at = until; at < f.instructions.size(); ++at) {
    const instruction& i = f.instructions[at];
    if (i.opcode != "bra" || i.operands.empty()) continue;
    const auto to = std::ranges::find(f.labels, i.operands[0].name, &label::name);
    if (to == f.labels.end() || to->at <= until) return true;
  }
  return false;
}

/// Only comparisons of integers set the condition. Floats may be opaque values, on which no access
/// may depend.
bool compares_integers(const function& f, const uses_of_register& condition) {
  return std::ranges::all_of(condition.set_by, [&](std::size_t at) {
    const instruction& i = f.instructions[at];
    return i.opcode == "setp" && !is_float(i.type_from_end());
  });
}

bool are_within(const std::vector<std::size_t>& all, std::size_t first, std::size_t last) {
  return std::ranges::all_of(all, [&](std::size_t at) { return at > first && at < last; });
}

/// A `selp` that discards a value unless `condition` holds, or, if `negated`, does not.
struct selection {
  std::size_t at = 0;
  std::string condition;
  bool negated = false;
};

std::optional<selection> selection_of(const function& f, std::size_t at, const std::string& value) {
  if (at >= f.instructions.size()) return std::nullopt;  // a result of the function
  const instruction& i = f.instructions[at];
  if (i.opcode != "selp" || !i.guard.empty() || i.operands.size() != 4) return std::nullopt;
  const operand& by = i.operands[3];
  if (by.what != operand::kind::reg || by.negated || by.name == value) return std::nullopt;
  const bool is_first = i.operands[1].name == value;
  if (is_first == (i.operands[2].name == value)) return std::nullopt;
  return selection{at, by.name, !is_first};
}

// Whether the load at `at` got the condition of a `selp` where it stands. The condition is set
// before, once, and holds until the `selp`, which alone reads the value behind the load.
bool guard_in_place(function& f, std::size_t at, const uses& all) {
  const std::string value = f.instructions[at].operands[0].name;
  const uses_of_register& of_value = all.at(value);
  if (of_value.read_by.empty()) return false;
  const auto by = selection_of(f, of_value.read_by.back(), value);
  if (!by || by->at < at) return false;
  const auto of_condition = all.find(by->condition);
  if (of_condition == all.end() || of_condition->second.set_by.size() != 1) return false;
  const std::size_t first = of_condition->second.set_by.front();
  if (first > at || !f.instructions[first].guard.empty()) return false;
  if (!compares_integers(f, of_condition->second)) return false;
  const bool is_read_before = of_value.read_by.front() < at;
  if (is_read_before && has_loop_around(f, first)) return false;
  const auto behind = std::ranges::upper_bound(of_value.read_by, at);
  if (of_value.read_by.end() - behind != 1 || of_value.read_by.front() <= first) return false;
  if (!are_within(of_value.set_by, first, by->at) || !is_entered_in_front(f, first, by->at))
    return false;
  f.instructions[at].guard = by->condition;
  f.instructions[at].guard_negated = by->negated;
  return true;
}

// Whether the load at `at`, and what is computed from it for one `selp` alone, have moved behind
// all that stands between them and the `selp`.
bool guard_behind(function& f, std::size_t at, const uses& all) {
  std::vector<std::size_t> chain{at};
  std::string value = f.instructions[at].operands[0].name;
  std::optional<selection> by;
  while (!by) {
    const auto& read_by = all.at(value).read_by;
    if (read_by.size() != 1 || read_by.front() <= chain.back()) return false;
    const std::size_t next = read_by.front();
    by = selection_of(f, next, value);
    if (by) break;
    if (next >= f.instructions.size()) return false;
    const instruction& i = f.instructions[next];
    if (!sets_first(i) || i.opcode == "ld" || i.opcode == "setp" || !i.guard.empty()) return false;
    chain.push_back(next);
    value = i.operands[0].name;
  }
  if (has_label(f, at, by->at)) return false;
  const auto condition = all.find(by->condition);
  if (condition == all.end() || !compares_integers(f, condition->second)) return false;
  // What stands between sets nothing that the chain reads or sets.
  for (std::size_t between = at + 1; between < by->at; ++between) {
    if (std::ranges::find(chain, between) != chain.end()) continue;
    const instruction& i = f.instructions[between];
    if (!may_be_crossed(i)) return false;
    for (const std::size_t link : chain) {
      const auto& operands = f.instructions[link].operands;
      const std::string& set = i.operands[0].name;
      // What is set in front of a link is read there; the link only comes further behind.
      if (link > between && operands[0].name != set) continue;
      if (std::ranges::any_of(operands, [&](const operand& o) { return names(o, set); }))
        return false;
    }
  }
  f.instructions[at].guard = by->condition;
  f.instructions[at].guard_negated = by->negated;
  std::size_t to = at;
  std::vector<instruction> moved;
  for (std::size_t from = at; from < by->at; ++from) {
    if (std::ranges::find(chain, from) != chain.end()) {
      moved.push_back(std::move(f.instructions[from]));
    } else {
      f.instructions[to++] = std::move(f.instructions[from]);
    }
  }
  std::ranges::move(moved, f.instructions.begin() + static_cast<std::ptrdiff_t>(to));
  return true;
}

void guard_discarded_loads(function& f) {
  uses all = uses_in(f);
  for (std::size_t at = f.instructions.size(); at-- > 0;) {
    const instruction& i = f.instructions[at];
    if (!is_plain_load(i) || !i.guard.empty()) continue;
    if (guard_in_place(f, at, all) || guard_behind(f, at, all)) all = uses_in(f);
  }
}

}  // namespace

void guard_discarded_loads(module& m) {
  for (kernel& k : m.kernels) guard_discarded_loads(static_cast<function&>(k));
  for (function& f : m.functions) guard_discarded_loads(f);
}

}  // namespace simt::ptx
