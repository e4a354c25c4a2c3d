// Follows values that are not known through registers and memory.
#include "sim/ptx/emit/opaque.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sim/ptx/emit/emitter.hpp"
#include "sim/ptx/emit/source_line.hpp"
#include "sim/ptx/flow.hpp"
#include "sim/ptx/unseen_branch.hpp"

namespace simt::ptx {
namespace {

/// The registers that an instruction sets and reads, and the memory that it accesses.
struct flow {
  std::set<std::string> sets;     // registers
  std::set<std::string> values;   // registers that its results depend on
  std::set<std::string> decides;  // registers that branches, addresses, synchronization depend on
  std::optional<space> reads, writes;
};

void registers_in(const operand& o, std::set<std::string>& to) {
  if (o.what == operand::kind::reg || (o.what == operand::kind::address && o.base_is_register)) {
    to.insert(o.name);
  }
  for (const operand& part : o.parts) registers_in(part, to);
}

space place_of_access(const instruction& i) {
  for (const std::string& m : i.modifiers) {
    if (m.starts_with("shared")) return space::shared;
    if (m.starts_with("local")) return space::local;
    if (m.starts_with("param")) return space::param;
    if (m.starts_with("const")) return space::constant;
    if (m == "global") return space::global;
  }
  return space::generic;  // any of them
}

bool is_one_of(const std::string& name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

flow flow_of(const instruction& i) {
  flow f;
  const std::string& op = i.opcode;
  if (is_one_of(op, {"bra", "brx", "ret", "exit", "bar", "barrier", "trap"})) {
    for (const operand& o : i.operands) registers_in(o, f.decides);
    if (!i.guard.empty()) f.decides.insert(i.guard);
    return f;
  }
  if (op == "nanosleep") return f;  // nobody sees how long a thread sleeps
  const bool is_memory =
      is_one_of(op, {"ld", "ldu", "st", "atom", "red", "call"}) || emitter::moves_matrix(i);
  const bool is_warp =
      is_one_of(op, {"shfl", "vote", "match", "redux", "elect", "activemask", "movmatrix"});
  // Whether an access or a collective happens must be known.
  if (!i.guard.empty()) (is_memory || is_warp ? f.decides : f.values).insert(i.guard);
  if (op == "st" || op == "red") {
    f.writes = place_of_access(i);
    if (!i.operands.empty()) registers_in(i.operands[0], f.decides);
    for (std::size_t k = 1; k < i.operands.size(); ++k) registers_in(i.operands[k], f.values);
    return f;
  }
  if (i.operands.empty()) return f;
  if (emitter::moves_matrix(i) && op != "movmatrix") {
    const bool loads = op == "ldmatrix" || i.has("load");
    const space where = op == "wmma" ? place_of_access(i) : space::shared;
    (loads ? f.reads : f.writes) = where;
    registers_in(i.operands[0], loads ? f.sets : f.decides);
    for (std::size_t k = 1; k < i.operands.size(); ++k)
      registers_in(i.operands[k], k == 1 && !loads ? f.values : f.decides);
    return f;
  }
  if (op == "mbarrier" || op == "cp") {
    // If the second operand is an address, the first one is a state or a predicate.
    const bool has_result =
        op == "mbarrier" && i.operands.size() > 1 && i.operands[0].what != operand::kind::address;
    if (has_result) registers_in(i.operands[0], f.sets);
    for (std::size_t k = has_result ? 1 : 0; k < i.operands.size(); ++k)
      registers_in(i.operands[k], f.decides);
    if (!i.guard.empty()) f.decides.insert(i.guard);
    if (op == "cp" && i.has("bulk")) {
      f.reads = f.writes = space::generic;
    } else if (op == "cp" && i.has("global")) {
      f.reads = space::global;
      f.writes = space::shared;
    }
    return f;
  }
  registers_in(i.operands[0], f.sets);
  if (op == "ld" || op == "ldu" || op == "atom") {
    f.reads = place_of_access(i);
    if (op == "atom") f.writes = f.reads;
    if (i.operands.size() > 1) registers_in(i.operands[1], f.decides);
    for (std::size_t k = 2; k < i.operands.size(); ++k) registers_in(i.operands[k], f.values);
    return f;
  }
  for (std::size_t k = 1; k < i.operands.size(); ++k) {
    // A shuffle's value may be anything; its lane and mask may not.
    const bool is_value = !is_warp || k == 1;
    registers_in(i.operands[k], is_value ? f.values : f.decides);
  }
  if (!i.guard.empty()) f.values.insert(f.sets.begin(), f.sets.end());
  return f;
}

/// Instructions, by their function and number.
using instruction_set = std::set<std::pair<const function*, std::size_t>>;

using settled_branches = std::map<const function*, std::map<std::size_t, bool>>;

class taint {
 public:
  /// `settled`: branches that depend on nothing. `ends_at`: comparisons whose results count as
  /// known.
  taint(const layout& memory, const settled_branches& settled, const instruction_set& ends_at = {})
      : memory_(memory), settled_(settled), ends_at_(ends_at) {}

  void add(const function& f, std::size_t instruction) {
    const flow all = flow_of(f.instructions[instruction]);
    for (const std::string& r : all.sets) registers_.insert({&f, r});
    if (all.writes) write(*all.writes);
  }
  /// Follows the values until nothing is added.
  void spread(const std::vector<const function*>& functions) {
    for (bool grows = true; grows;) {
      const std::size_t before = registers_.size() + spaces_.size();
      for (const function* f : functions) {
        for (std::size_t n = 0; n < f->instructions.size(); ++n) {
          if (!ends_at_.contains({f, n})) step(*f, f->instructions[n]);
        }
      }
      grows = registers_.size() + spaces_.size() != before;
    }
  }
  [[nodiscard]] bool reaches_global() const { return spaces_.contains(space::global); }
  /// The comparisons of values that are not known.
  [[nodiscard]] instruction_set comparisons(const std::vector<const function*>& functions) const {
    instruction_set all;
    for (const function* f : functions) {
      for (std::size_t n = 0; n < f->instructions.size(); ++n) {
        const instruction& i = f->instructions[n];
        if (i.opcode != "setp") continue;
        for (std::size_t k = 1; k < std::min<std::size_t>(i.operands.size(), 3); ++k) {
          if (registers_.contains({f, i.operands[k].name})) all.insert({f, n});
        }
      }
    }
    return all;
  }
  /// The first instruction whose effect depends on a value that is not known.
  [[nodiscard]] const instruction* reached(const std::vector<const function*>& functions) const {
    for (const function* f : functions) {
      const auto settled = settled_.find(f);
      for (std::size_t n = 0; n < f->instructions.size(); ++n) {
        if (settled != settled_.end() && settled->second.contains(n)) continue;
        for (const std::string& r : flow_of(f->instructions[n]).decides) {
          if (registers_.contains({f, r})) return &f->instructions[n];
        }
      }
    }
    return nullptr;
  }
  [[nodiscard]] bool has(const function* f, const std::string& name) const {
    return registers_.contains({f, name});
  }

 private:
  void step(const function& f, const instruction& i) {
    if (i.opcode == "call") pass_registers(f, i);
    const flow all = flow_of(i);
    bool tainted = all.reads && !reads_own_parameter(f, i) && reaches(*all.reads);
    for (const std::string& r : all.values) tainted = tainted || registers_.contains({&f, r});
    if (!tainted) return;
    for (const std::string& r : all.sets) registers_.insert({&f, r});
    if (all.writes) write(*all.writes);
  }
  void write(space to) {
    if (to != space::generic) {
      spaces_.insert(to);
    } else {
      spaces_.insert({space::global, space::shared, space::local, space::param});
    }
  }
  [[nodiscard]] bool reaches(space from) const {
    if (from == space::generic) return !spaces_.empty();
    return spaces_.contains(from);
  }
  // The launch gives these bytes. No call can have stored to them.
  [[nodiscard]] bool reads_own_parameter(const function& f, const instruction& i) const {
    return &f == &memory_.of_kernel() && i.opcode == "ld" && i.operands.size() > 1 &&
           std::ranges::find(f.parameters, i.operands[1].name, &parameter::name) !=
               f.parameters.end();
  }
  // Follows arguments and results in registers.
  void pass_registers(const function& f, const instruction& i) {
    const function* callee = nullptr;
    std::vector<std::vector<operand>> lists;
    std::size_t lists_before = 0;
    for (const operand& o : i.operands) {
      if (o.what == operand::kind::list) lists.push_back(o.parts);
      if (o.what == operand::kind::symbol && callee == nullptr) {
        callee = memory_.of().find_function(o.name);
        lists_before = lists.size();
      }
    }
    if (callee == nullptr) return;
    for (std::size_t n = 0; n < lists.size(); ++n) {
      const bool are_results = n < lists_before;
      const auto& declared = are_results ? callee->results : callee->parameters;
      for (std::size_t k = 0; k < std::min(lists[n].size(), declared.size()); ++k) {
        const std::pair<const function*, std::string> here{&f, lists[n][k].name};
        const std::pair<const function*, std::string> there{callee, declared[k].name};
        if (are_results && registers_.contains(there)) registers_.insert(here);
        if (!are_results && registers_.contains(here)) registers_.insert(there);
      }
    }
  }

  const layout& memory_;
  const settled_branches& settled_;
  instruction_set ends_at_;
  std::set<std::pair<const function*, std::string>> registers_;
  std::set<space> spaces_;
};

unsupported_use use_of(const module& m, const instruction& i, std::string reason) {
  const user_place place = place_of(m, i);
  unsupported_use use;
  use.what = i.text;
  use.reason = std::move(reason);
  use.line = i.line;
  if (i.place) {
    use.file = place.file;
    use.source_line = place.line;
  }
  return use;
}

/// The branches that depend on these values and whose sides nobody can tell apart. Those on the
/// sides of such a branch are settled with it.
settled_branches settle(const layout& memory, const taint& values,
                        const std::vector<const function*>& functions) {
  settled_branches all;
  for (const function* f : functions) {
    std::optional<std::set<std::string>> may_be_undefined;
    const auto depends = [&](std::size_t n) {
      const instruction& i = f->instructions[n];
      return i.opcode == "bra" && !i.guard.empty() && values.has(f, i.guard);
    };
    for (std::size_t n = 0; n < f->instructions.size(); ++n) {
      if (!depends(n)) continue;
      if (!may_be_undefined) may_be_undefined = shuffled_registers(memory.of(), *f);
      const auto unseen = find_unseen(*f, n, *may_be_undefined);
      if (!unseen) continue;
      all[f].insert_or_assign(n, unseen->is_taken);
      for (const std::size_t inner : unseen->sides) {
        if (depends(inner)) all[f].emplace(inner, false);
      }
    }
  }
  return all;
}

/// The comparisons of `value` on whose result a branch, an address or synchronization depends.
instruction_set deciding_comparisons(const layout& memory, const taint& value,
                                     const settled_branches& settled,
                                     const std::vector<const function*>& functions) {
  instruction_set all;
  for (const auto& [f, number] : value.comparisons(functions)) {
    taint result(memory, settled);
    result.add(*f, number);
    result.spread(functions);
    if (result.reached(functions) != nullptr) all.insert({f, number});
  }
  return all;
}

}  // namespace

opaque_values find_opaque(const layout& memory) {
  opaque_values found;
  const module& m = memory.of();
  const kernel& k = memory.of_kernel();
  if (k.cluster[1].value_or(1) > 1 || k.cluster[2].value_or(1) > 1) {
    found.unsupported.push_back(
        {fmt::format(".reqnctapercluster {}, {}, {}", k.cluster[0].value_or(1),
                     k.cluster[1].value_or(1), k.cluster[2].value_or(1)),
         "clusters that extend in y or z",
         k.line,
         {},
         0});
  }
  std::vector<const function*> functions = memory.functions();
  functions.push_back(&memory.of_kernel());
  struct candidate {
    const function* where;
    std::size_t number;
    std::string reason;
    bool is_time;
  };
  std::vector<candidate> candidates;
  for (const function* f : functions) {
    emitter made(memory, *f, f == &memory.of_kernel());
    for (std::size_t n = 0; n < f->instructions.size(); ++n) {
      const instruction& i = f->instructions[n];
      if (i.opcode == "cp" && i.has("mbarrier") && i.has("noinc")) {
        found.assumed.push_back(
            use_of(m, i,
                   "the copies in front of it end at once: what other steps of the thread may come "
                   "before their end is not explored"));
      }
      if (i.opcode == "elect") {
        found.assumed.push_back(use_of(m, i, "elect.sync elects the lowest lane of its mask"));
      }
      if (i.opcode == "griddepcontrol" && i.has("wait")) {
        found.assumed.push_back(
            use_of(m, i, "the grids that this one depends on have ended before it begins"));
      }
      if ((i.opcode == "atom" || i.opcode == "red") &&
          (i.type_from_end() == type::f16x2 || i.type_from_end() == type::bf16x2)) {
        found.assumed.push_back(
            use_of(m, i, "both numbers of a pair are added to in one step, which PTX leaves open"));
      }
      if (emitter::accesses_as_one(i)) {
        found.assumed.push_back(
            use_of(m, i, "no other thread comes between a vector's elements within 8 bytes"));
      }
      if (i.opcode == "mov" && i.operands.size() > 1 &&
          i.operands[1].name == "%reserved_smem_offset_1") {
        found.assumed.push_back(use_of(
            m, i, "reserved shared memory begins as zeros, and no library but this one uses it"));
      }
      try {
        made.statement(f->instructions[n]);
      } catch (const not_translated& why) {
        if (why.opaque) {
          candidates.push_back({f, n, why.reason, why.is_time});
        } else {
          found.unsupported.push_back(use_of(m, f->instructions[n], why.reason));
        }
      }
    }
  }
  if (memory.at().is_for_one_run) {
    for (const candidate& c : candidates) {
      const instruction& i = c.where->instructions[c.number];
      try {
        emitter(memory, *c.where, c.where == &memory.of_kernel()).approximate_statement(i);
        found.instructions[c.where].insert(c.number);
      } catch (const not_translated& why) {
        found.unsupported.push_back(use_of(m, i, c.reason + ": " + why.reason));
      }
    }
    return found;
  }
  taint all(memory, found.settled);
  for (const candidate& c : candidates) all.add(*c.where, c.number);
  all.spread(functions);
  found.settled = settle(memory, all, functions);
  const bool is_harmless = all.reached(functions) == nullptr;
  const auto keep = [&](const candidate& c) {
    found.kept.push_back(use_of(m, c.where->instructions[c.number], c.reason));
  };
  for (const candidate& c : candidates) {
    if (is_harmless) {
      if (all.reaches_global()) keep(c);
      found.instructions[c.where].insert(c.number);
      continue;
    }
    taint one(memory, found.settled);
    one.add(*c.where, c.number);
    one.spread(functions);
    if (one.reaches_global()) keep(c);
    const instruction* reached = one.reached(functions);
    if (reached == nullptr) {
      found.instructions[c.where].insert(c.number);
    } else if (c.is_time) {
      found.instructions[c.where].insert(c.number);
      found.assumed.push_back(
          use_of(m, c.where->instructions[c.number],
                 "time stands still, so that what happens behind a time-out is not explored"));
    } else {
      const instruction_set deciding = deciding_comparisons(memory, one, found.settled, functions);
      taint otherwise(memory, found.settled, deciding);
      otherwise.add(*c.where, c.number);
      otherwise.spread(functions);
      const instruction* const still = otherwise.reached(functions);
      if (still != nullptr) {
        found.unsupported.push_back(use_of(m, c.where->instructions[c.number],
                                           fmt::format("{}, and `{}` in line {} depends on it",
                                                       c.reason, still->text, still->line)));
        continue;
      }
      found.instructions[c.where].insert(c.number);
      for (const auto& [f, number] : deciding) {
        if (!found.chosen[f].insert(number).second) continue;
        found.assumed.push_back(use_of(
            m, f->instructions[number],
            "both results of a comparison are explored, since one of its numbers is not known"));
      }
    }
  }
  std::ranges::stable_sort(found.unsupported, {}, &unsupported_use::line);
  return found;
}

std::vector<unsupported_use> unsupported(const module& m, const kernel& k) {
  if (m.address_size != 64) {
    return {{fmt::format(".address_size {}", m.address_size), "addresses of 32 bits", 1, {}, 0}};
  }
  if (!k.has_body) return {{".entry " + k.name, "a kernel without a body", k.line, {}, 0}};
  return find_opaque(layout(m, k, nullptr)).unsupported;
}

std::vector<unsupported_use> assumed(const module& m, const kernel& k) {
  if (!unsupported(m, k).empty()) return {};
  return find_opaque(layout(m, k, nullptr)).assumed;
}

std::vector<unsupported_use> unknown_in_memory(const module& m, const kernel& k) {
  if (!unsupported(m, k).empty()) return {};
  return find_opaque(layout(m, k, nullptr)).kept;
}

std::string on_one_comment_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c == '\\' || c == '?'; }, ' ');
  return text;
}

}  // namespace simt::ptx
