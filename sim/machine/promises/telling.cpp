// Finds the plain accesses that influence strong ones. A plain store needs a promise only where a
// lane that reads it early reaches other strong operations.
//
// Models: docs/memory-model.md, "Load buffering in the machine". A location is *silent* if all
// values that its weak loads have been seen to return lead to the same. That is, lanes reach the
// same operations, except for weak accesses of silent locations, results of object operations, and
// ends of the run. Other locations are *telling*. A lane that reads a promise at a silent location
// reaches nothing new, so no other promise rests on it. Does not model: values that only executions
// with such promises have.
// Axioms: none. This file says which promises are not needed; promises.cpp says what a promise is.
#include <cstring>
#include <unordered_map>
#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>

#include "sim/machine/promises/early_stores.hpp"

#include "sim/lane/operation_table.hpp"

namespace simt {

/// Compares what lanes do after each value of a weak load. With `only`, looks at that location
/// alone, and treats loads of others as visible operations, whatever they return.
class telling_search {
 public:
  telling_search(machine& of, const std::set<std::uint32_t>& telling,
                 std::optional<std::uint32_t> only = std::nullopt)
      : machine_(of), telling_(telling), only_(only) {}

  /// Finds a location, not yet known to be telling, after whose loads lanes do different things.
  std::optional<std::uint32_t> find() {
    const std::size_t known = machine_.program().size();
    for (continuation c = 1; c < known; ++c) {
      if (is_hidden_load(c) && !leads_to_the_same(c)) return machine_.lanes().traits(c).offset;
    }
    return std::nullopt;
  }

  /// The plainly loaded locations that are not known to be telling.
  std::set<std::uint32_t> loaded() {
    std::set<std::uint32_t> all;
    const std::size_t known = machine_.program().size();
    for (continuation c = 1; c < known; ++c) {
      if (is_load(c)) all.insert(machine_.lanes().traits(c).offset);
    }
    return all;
  }

 private:
  using pair = std::pair<continuation, continuation>;
  using continuations = std::vector<continuation>;
  // The number of compared pairs after which two continuations count as different.
  static constexpr std::size_t most_pairs = 20'000;

  machine& machine_;
  const std::set<std::uint32_t>& telling_;
  std::optional<std::uint32_t> only_;
  // Pairs that are equal, or assumed to be as long as all others are.
  boost::unordered_flat_set<pair> same_;
  // By continuation: the visible operations that come next, past hidden ones.
  std::unordered_map<continuation, continuations> shown_;

  /// Whether `c` is a plain access of a silent location.
  bool is_silent_access(continuation c) {
    const operation& op = machine_.program().at(c);
    if (op.kind != operation_kind::memory || access_of(op).strong) return false;
    if (op.memory != detail::memory_kind::load && op.memory != detail::memory_kind::store)
      return false;
    const operation_traits& t = machine_.lanes().traits(c);
    return t.what == operation_traits::kind::access && !telling_.contains(t.offset);
  }
  bool is_load(continuation c) {
    return is_silent_access(c) && machine_.program().at(c).memory == detail::memory_kind::load;
  }
  bool is_hidden_load(continuation c) {
    return is_load(c) && (!only_ || machine_.lanes().traits(c).offset == *only_);
  }
  bool is_hidden(continuation c) {
    using kind = operation_kind;
    const kind what = machine_.program().at(c).kind;
    // In lockstep, the branch that a lane takes matters to others.
    const bool is_hidden_access = is_silent_access(c) && (!is_load(c) || is_hidden_load(c));
    return is_hidden_access || what == kind::nanosleep ||
           (what == kind::branch && !machine_.has_lockstep());
  }
  /// Whether the run ends at `c`.
  bool is_end(continuation c) {
    using kind = operation_traits::kind;
    const kind what = machine_.lanes().traits(c).what;
    return what == kind::fail || what == kind::bad_access ||
           machine_.program().at(c).kind == operation_kind::fault;
  }

  /// The operations that lanes reach from `from` past hidden operations alone, without ends of the
  /// run.
  const continuations& shown_behind(continuation from) {
    const auto [at, is_new] = shown_.try_emplace(from);
    if (!is_new) return at->second;
    continuations found;
    continuations todo{from};
    boost::unordered_flat_set<continuation> seen{from};
    while (!todo.empty()) {
      const continuation here = todo.back();
      todo.pop_back();
      if (is_end(here)) continue;
      if (!is_hidden(here)) {
        found.push_back(here);
        continue;
      }
      machine_.program().for_each_known(here, [&](std::uint64_t, continuation next) {
        if (seen.insert(next).second) todo.push_back(next);
      });
    }
    return shown_[from] = std::move(found);
  }

  /// The operation at `c` without the bytes that make no difference to others.
  [[nodiscard]] operation essence(continuation c) const {
    operation op = machine_.program().at(c);
    if (!machine_.has_lockstep()) op.block = op.target = 0;
    op.sequence = 0;
    if (is_event(op.kind)) {
      op.count = 0;
      op.address = op.operand = op.compare = 0;
    }
    return op;
  }

  bool leads_to_the_same(continuation load) {
    std::vector<pair> todo;
    continuations behind;
    machine_.program().for_each_known(load, [&](std::uint64_t, continuation next) {
      const continuations& more = shown_behind(next);
      behind.insert(behind.end(), more.begin(), more.end());
    });
    compare_all(behind, todo);
    while (!todo.empty()) {
      const auto [a, b] = todo.back();
      todo.pop_back();
      const operation one = essence(a);
      const operation other = essence(b);
      if (std::memcmp(&one, &other, sizeof one) != 0 || same_.size() > most_pairs) return false;
      lane_automaton& lanes = machine_.program();
      std::vector<std::uint64_t> answers;
      lanes.for_each_known(a,
                           [&](std::uint64_t answer, continuation) { answers.push_back(answer); });
      lanes.for_each_known(b,
                           [&](std::uint64_t answer, continuation) { answers.push_back(answer); });
      for (const std::uint64_t answer : answers) {
        behind = shown_behind(lanes.outcome(a, answer));
        const continuations& more = shown_behind(lanes.outcome(b, answer));
        behind.insert(behind.end(), more.begin(), more.end());
        compare_all(behind, todo);
        if (machine_.has_news()) return true;
      }
    }
    return true;
  }

  void compare_all(const continuations& all, std::vector<pair>& todo) {
    for (const continuation one : all) {
      const pair both = std::minmax(all.front(), one);
      if (both.first != both.second && same_.insert(both).second) todo.push_back(both);
    }
  }
};

// Before an exploration has ended, few of the possible values are known. A location would then seem
// telling because another one behind it is. So only those locations are looked for that are telling
// by themselves.
bool early_stores::learn_telling(bool has_ended) {
  if (!memory_.makes_promises()) return false;
  const std::lock_guard lock(machine_.stores().lanes_lock);
  std::set<std::uint32_t> telling = memory_.rules().facts().telling;
  const std::size_t had = telling.size();
  for (bool is_news = true; is_news;) {
    is_news = false;
    for (const std::uint32_t location : telling_search(machine_, telling).loaded()) {
      const bool tells = telling_search(machine_, telling, location).find().has_value();
      if (machine_.has_news()) return false;
      if (!tells) continue;
      telling.insert(location);
      is_news = true;
    }
    if (is_news || !has_ended) continue;
    if (const auto found = telling_search(machine_, telling).find()) {
      telling.insert(*found);
      is_news = true;
    }
    if (machine_.has_news()) return false;
  }
  return telling.size() > had && memory_.learn_telling(telling);
}

}  // namespace simt
