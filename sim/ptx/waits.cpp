// Looks for a set of polls that lanes leave for one place alone, and makes them one poll.
#include "sim/ptx/waits.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/ptx/flow.hpp"

namespace simt::ptx {
namespace {

/// `ld r, [place]; setp p, r, value; @p bra ...`: three instructions that follow each other.
struct poll {
  const instruction* load = nullptr;
  const operand* value = nullptr;
  std::string compared_as;  // the type
  std::size_t where_equal = 0, where_other = 0;
};

/// The instruction of a label. Nothing: there is no such label, or several.
std::optional<std::size_t> place_of_label(const function& f, const std::string& name) {
  const auto found = std::ranges::find(f.labels, name, &label::name);
  if (found == f.labels.end()) return std::nullopt;
  return found->at;
}

bool is_strong_load(const instruction& i) {
  const auto has_one_of = [&](std::initializer_list<const char*> names) {
    return std::ranges::any_of(names, [&](const char* name) { return i.has(name); });
  };
  return i.opcode == "ld" && i.guard.empty() && i.operands.size() == 2 &&
         i.operands[0].what == operand::kind::reg && i.operands[1].what == operand::kind::address &&
         has_one_of({"relaxed", "acquire", "volatile"}) && !has_one_of({"mmio", "v2", "v4", "v8"});
}

std::optional<poll> poll_at(const function& f, std::size_t at) {
  if (at + 2 >= f.instructions.size()) return std::nullopt;
  const instruction& load = f.instructions[at];
  const instruction& compare = f.instructions[at + 1];
  const instruction& branch = f.instructions[at + 2];
  if (!is_strong_load(load) || compare.opcode != "setp" || branch.opcode != "bra")
    return std::nullopt;
  if (std::ranges::any_of(f.labels,
                          [&](const label& l) { return l.at == at + 1 || l.at == at + 2; }))
    return std::nullopt;
  const bool is_eq = !compare.modifiers.empty() && compare.modifiers[0] == "eq";
  const bool is_ne = !compare.modifiers.empty() && compare.modifiers[0] == "ne";
  if (compare.modifiers.size() != 2 || (!is_eq && !is_ne) || !compare.guard.empty() ||
      compare.operands.size() != 3 || is_float(type_named(compare.modifiers[1])))
    return std::nullopt;
  const std::string& read = load.operands[0].name;
  const std::string& result = compare.operands[0].name;
  const bool is_first =
      compare.operands[1].what == operand::kind::reg && compare.operands[1].name == read;
  const operand& value = compare.operands[is_first ? 2 : 1];
  const operand& other = compare.operands[is_first ? 1 : 2];
  if (compare.operands[0].what != operand::kind::reg || other.what != operand::kind::reg ||
      other.name != read)
    return std::nullopt;
  const bool is_number = value.what == operand::kind::immediate && !value.is_float;
  if (!is_number && (value.what != operand::kind::reg || value.name == read)) return std::nullopt;
  if (branch.guard != result || branch.operands.size() != 1) return std::nullopt;
  const auto target = place_of_label(f, branch.operands[0].name);
  if (!target) return std::nullopt;
  const bool jumps_where_equal = is_eq != branch.guard_negated;
  return poll{&load, &value, compare.modifiers[1], jumps_where_equal ? *target : at + 3,
              jumps_where_equal ? at + 3 : *target};
}

bool is_same(const operand& a, const operand& b) {
  return a.what == b.what && a.name == b.name && a.base_is_register == b.base_is_register &&
         a.offset == b.offset && a.bits == b.bits && a.negated == b.negated &&
         a.component == b.component;
}

bool asks_the_same(const poll& a, const poll& b) {
  return a.load->modifiers == b.load->modifiers && a.compared_as == b.compared_as &&
         is_same(a.load->operands[1], b.load->operands[1]) && is_same(*a.value, *b.value);
}

/// The polls of one wait, and what lies between them.
class network {
 public:
  network(const function& f, std::size_t first, std::size_t end) : f_(f), end_(end) {
    const auto found = poll_at(f, first);
    if (!found) return;
    first_ = *found;
    is_wait_ = may_hold(first) && polls_.size() > 1 && has_no_circle() && stays_where_equal();
  }
  /// Whether a lane stays as long as it reads the value, and comes to `end` if it always reads
  /// another one.
  [[nodiscard]] bool is_wait() const { return is_wait_; }
  /// Where lanes go that have read another value, from any poll of the network.
  [[nodiscard]] const std::set<std::size_t>& ways_out() const { return ways_out_; }
  /// Whether what the network sets is read outside, or changes what it asks.
  [[nodiscard]] bool is_told(const std::set<std::string>& may_be_undefined) const {
    std::set<std::string> set;
    std::vector<std::string> asked;
    list_registers(first_.load->operands[1], asked);
    list_registers(*first_.value, asked);
    const auto add = [&](const operand& o) {
      std::vector<std::string> names;
      list_registers(o, names);
      set.insert(names.begin(), names.end());
    };
    for (const auto& [at, one] : polls_) {
      add(f_.instructions[at].operands[0]);
      add(f_.instructions[at + 1].operands[0]);
    }
    for (const std::size_t at : between_) {
      const instruction& i = f_.instructions[at];
      if (only_computes(i)) add(i.operands[0]);
      std::vector<std::string> named;
      for (const operand& o : i.operands) list_registers(o, named);
      if (!i.guard.empty()) named.push_back(i.guard);
      if (std::ranges::any_of(named, [&](const auto& r) { return may_be_undefined.contains(r); }))
        return true;
    }
    return std::ranges::any_of(asked, [&](const auto& r) { return set.contains(r); }) ||
           std::ranges::any_of(set, [&](const auto& r) { return is_live(f_, r, end_); });
  }

 private:
  static constexpr std::size_t most = 4096;

  [[nodiscard]] static bool is_silent(const instruction& i) {
    return only_computes(i) || i.opcode == "nanosleep" || i.opcode == "bra";
  }
  // Whether nothing but these polls and silent instructions can be come to in front of the end.
  bool may_hold(std::size_t first) {
    std::vector<std::size_t> open{first};
    bool holds = true;
    while (!open.empty() && between_.size() + polls_.size() < most) {
      const std::size_t at = open.back();
      open.pop_back();
      if (at == end_ || between_.contains(at) || polls_.contains(at)) continue;
      if (const auto one = poll_at(f_, at); one && asks_the_same(*one, first_)) {
        polls_.emplace(at, *one);
        ways_out_.insert(one->where_other);
        open.push_back(one->where_equal);
        open.push_back(one->where_other);
      } else if (at < f_.instructions.size() && is_silent(f_.instructions[at])) {
        between_.insert(at);
        for (const std::size_t next : successors(f_, at)) open.push_back(next);
      } else {
        holds = false;  // the ways out are wanted all the same
      }
    }
    return holds && open.empty();
  }
  // The steps of a lane that reads other values.
  [[nodiscard]] std::vector<std::size_t> steps_where_other(std::size_t at) const {
    const auto found = polls_.find(at);
    if (found != polls_.end()) return {found->second.where_other};
    return successors(f_, at);
  }
  // Whether a lane that always reads another value comes to the end.
  [[nodiscard]] bool has_no_circle() const {
    std::map<std::size_t, std::size_t> left;  // steps to places from which no way is known yet
    std::map<std::size_t, std::vector<std::size_t>> from;
    std::vector<std::size_t> known{end_};
    std::size_t settled = 0;
    const auto add = [&](std::size_t at) {
      const auto steps = steps_where_other(at);
      left[at] = steps.size();
      for (const std::size_t next : steps) from[next].push_back(at);
    };
    for (const auto& [at, one] : polls_) add(at);
    for (const std::size_t at : between_) add(at);
    while (!known.empty()) {
      const std::size_t at = known.back();
      known.pop_back();
      for (const std::size_t before : from[at]) {
        if (--left[before] > 0) continue;
        ++settled;
        known.push_back(before);
      }
    }
    return settled == left.size();
  }
  // Whether a lane that has read the value comes to another poll before the end.
  [[nodiscard]] bool stays_where_equal() const {
    std::set<std::size_t> seen;
    std::vector<std::size_t> open;
    for (const auto& [at, one] : polls_) open.push_back(one.where_equal);
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (at == end_) return false;
      if (polls_.contains(at) || !seen.insert(at).second) continue;
      for (const std::size_t next : successors(f_, at)) open.push_back(next);
    }
    return true;
  }

  const function& f_;
  std::size_t end_;
  poll first_;
  std::map<std::size_t, poll> polls_;
  std::set<std::size_t> between_;
  std::set<std::size_t> ways_out_;
  bool is_wait_ = false;
};

std::string label_at(function& f, std::size_t at) {
  const auto found = std::ranges::find(f.labels, at, &label::at);
  if (found != f.labels.end()) return found->name;
  std::string name = "$wait_" + std::to_string(at);
  while (place_of_label(f, name)) name += '_';
  f.labels.push_back({name, at, at < f.instructions.size() ? f.instructions[at].line : f.line});
  return name;
}

/// Makes a loop of the poll: lanes that read another value go to `end`.
void close(function& f, std::size_t first, std::size_t end) {
  const bool jumps_where_equal = poll_at(f, first)->where_other == first + 3;
  instruction& back = f.instructions[first + 2];
  const std::string to_end = label_at(f, end);
  if (!jumps_where_equal) back.guard_negated = !back.guard_negated;
  back.operands[0].name = label_at(f, first);
  instruction leave = back;
  leave.guard.clear();
  leave.guard_negated = false;
  leave.operands[0].name = to_end;
  f.instructions.insert(f.instructions.begin() + static_cast<std::ptrdiff_t>(first + 3), leave);
  for (label& l : f.labels) {
    if (l.at >= first + 3) ++l.at;
  }
}

void leave_out_what_no_lane_comes_to(function& f) {
  std::vector<char> is_reached(f.instructions.size(), 0);
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at >= f.instructions.size() || is_reached[at] != 0) continue;
    is_reached[at] = 1;
    for (const std::size_t next : successors(f, at)) open.push_back(next);
  }
  std::vector<std::size_t> now(f.instructions.size() + 1, 0);
  std::vector<instruction> kept;
  for (std::size_t at = 0; at < f.instructions.size(); ++at) {
    now[at] = kept.size();
    if (is_reached[at] != 0) kept.push_back(std::move(f.instructions[at]));
  }
  now.back() = kept.size();
  for (label& l : f.labels) l.at = now[l.at];
  f.instructions = std::move(kept);
}

// Whether a wait that begins at `first` has become one poll.
bool joined(function& f, std::size_t first, const std::set<std::string>& may_be_undefined) {
  if (!poll_at(f, first)) return false;
  std::set<std::size_t> tried;
  std::vector<std::size_t> ends{poll_at(f, first)->where_other};
  while (!ends.empty()) {
    const std::size_t end = ends.back();
    ends.pop_back();
    if (end == first || !tried.insert(end).second) continue;
    const network polls(f, first, end);
    if (polls.is_wait() && !polls.is_told(may_be_undefined)) {
      close(f, first, end);
      return true;
    }
    ends.insert(ends.end(), polls.ways_out().begin(), polls.ways_out().end());
  }
  return false;
}

void join_polls_of(const module& m, function& f) {
  std::optional<std::set<std::string>> may_be_undefined;
  bool changes = false;
  for (std::size_t at = 0; at < f.instructions.size(); ++at) {
    if (!poll_at(f, at)) continue;
    if (!may_be_undefined) may_be_undefined = shuffled_registers(m, f);
    changes |= joined(f, at, *may_be_undefined);
  }
  if (changes) leave_out_what_no_lane_comes_to(f);
}

}  // namespace

void join_polls(module& m) {
  for (function& f : m.functions) join_polls_of(m, f);
  for (kernel& k : m.kernels) join_polls_of(m, k);
}

}  // namespace simt::ptx
