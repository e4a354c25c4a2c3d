// Computes the values that a location can have, from how often lanes may change it. Then compares
// the classes that these values lead to (docs/reductions.md, "Results that nobody uses").
#include "sim/machine/reduce/unused_results.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sim/automaton/components.hpp"
#include "sim/lane/fault_guard.hpp"
#include "sim/machine/machine.hpp"

namespace simt {

bool unused_results::commutes(const operation& op) {
  using enum detail::memory_kind;
  switch (op.memory) {
    case add:
    case bit_and:
    case bit_or:
    case bit_xor:
    case min_signed:
    case max_signed:
    case min_unsigned:
    case max_unsigned: return true;
    default: return false;
  }
}

// Lists locations with candidates. A location does not fit if it has updates of two kinds, accesses
// that cover other bytes, or stores of a value that depends on a read.
std::vector<unused_results::place> unused_results::places(
    const std::vector<footprints::own>& operations) const {
  std::map<std::uint32_t, place> all;  // by offset
  const lane_automaton& program = machine_.program();
  for (continuation c = 0; c < operations.size(); ++c) {
    const footprints::own& own = operations[c];
    if (!own.updates) continue;
    place& where = all[own.offset];
    if (where.updates.empty()) {
      where.offset = own.offset;
      where.size = own.size;
    }
    const operation& first = program.at(where.updates.empty() ? c : where.updates.front());
    where.fits = where.fits && own.size == where.size && program.at(c).memory == first.memory;
    where.updates.push_back(c);
  }
  if (all.empty()) return {};
  for (continuation c = 0; c < operations.size(); ++c) {
    const footprints::own& own = operations[c];
    if (!own.accesses || own.updates) continue;
    for (auto near = all.lower_bound(own.offset < 8 ? 0 : own.offset - 8);
         near != all.end() && near->first < own.offset + own.size; ++near) {
      place& where = near->second;
      if (where.offset + where.size <= own.offset) continue;
      if (where.offset != own.offset || where.size != own.size) where.fits = false;
      if (!own.writes) continue;
      const operation& op = program.at(c);
      using enum detail::memory_kind;
      const bool stores_operand =
          op.memory == store || op.memory == exchange || op.memory == compare_exchange;
      if (!stores_operand) where.fits = false;
      where.stored.push_back(apply(op, op.compare));
    }
  }
  std::vector<place> result;
  for (auto& [offset, where] : all) result.push_back(std::move(where));
  return result;
}

// For each continuation, the number of lanes that may reach it. Each lane counts once, because
// mark() leaves out continuations that a lane reaches again.
void unused_results::count_lanes(std::span<const footprints::own> operations,
                                 std::vector<std::uint32_t>& lanes) const {
  const std::size_t count = operations.size();
  const lane_automaton& program = machine_.program();
  const auto all = static_cast<std::uint32_t>(machine_.places().lanes.size());
  const std::size_t words = (all + 63) / 64;
  std::vector<std::uint64_t> seen(count * words, 0);  // which lanes, by continuation
  std::vector<char> is_open(count, 0);
  std::deque<continuation> open;
  const auto add = [&](continuation c, std::size_t word, std::uint64_t more) {
    std::uint64_t& known = seen[c * words + word];
    if ((more & ~known) == 0) return;
    known |= more;
    if (std::exchange(is_open[c], 1) == 0) open.push_back(c);
  };
  for (const continuation first : machine_.program_starts()) {
    if (first >= count) continue;
    for (std::uint32_t lane = 0; lane < all; ++lane) {
      add(first, lane / 64, std::uint64_t{1} << (lane % 64));
    }
  }
  while (!open.empty()) {
    const continuation c = open.front();
    open.pop_front();
    is_open[c] = 0;
    const operation& op = program.at(c);
    if (machine_.lanes().traits_of(op).what != operation_traits::kind::local) {
      program.for_each_given(c, [&](std::uint64_t, continuation to) {
        if (to >= count) return;
        for (std::size_t w = 0; w < words; ++w) add(to, w, seen[c * words + w]);
      });
      continue;
    }
    for (std::uint32_t lane = 0; lane < all; ++lane) {
      const std::uint64_t bit = std::uint64_t{1} << (lane % 64);
      if ((seen[c * words + lane / 64] & bit) == 0) continue;
      const auto next = program.known(c, machine_.lanes().local_answer(lane, op));
      if (next && *next < count) add(*next, lane / 64, bit);
    }
  }
  lanes.assign(count, 0);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t w = 0; w < words; ++w) {
      lanes[c] += static_cast<std::uint32_t>(std::popcount(seen[c * words + w]));
    }
  }
}

// All values that the location can have, for any order of lanes. Empty: there are too many.
std::vector<std::uint64_t> unused_results::values_of(const place& where,
                                                     std::span<const std::uint32_t> lanes) const {
  std::set<std::uint64_t> all(where.stored.begin(), where.stored.end());
  all.insert(machine_.first_value(where.offset, where.size));
  const lane_automaton& program = machine_.program();
  for (const continuation c : where.updates) {
    const operation& op = program.at(c);
    for (std::uint32_t turn = 0; turn < lanes[c]; ++turn) {
      const std::size_t before = all.size();
      const std::vector<std::uint64_t> had(all.begin(), all.end());
      for (const std::uint64_t value : had) all.insert(apply(op, value));
      if (all.size() > most_values) return {};
      if (all.size() == before) break;
    }
  }
  return {all.begin(), all.end()};
}

// Whether all answers known so far lead to one class.
bool unused_results::leads_to_one_class(continuation c) const {
  std::optional<continuation> next;
  bool is_one = true;
  machine_.program().for_each_given(c, [&](std::uint64_t, continuation to) {
    is_one = is_one && (!next || *next == to);
    next = to;
  });
  return is_one;
}

// Whether all values lead to one class. Members of a class may differ by an answer that was never
// given, so each member is tried.
bool unused_results::is_unused(continuation c, std::span<const std::uint64_t> values, bool asks) {
  const lane_program& lanes = machine_.program().lanes();
  lane_program& trials = machine_.program().trials();
  const operation op = machine_.program().at(c);
  for (const continuation member : members_[c]) {
    const continuation here = trials.adopt(lanes, member);
    std::optional<continuation> next;
    for (const std::uint64_t value : values) {
      std::optional<continuation> to = trials.known(here, answer(op, value));
      if (!to && trials.runs() > most_runs) return false;
      if (!to && asks) to = trials.speculate(here, answer(op, value));
      if (!to) continue;
      if (next && *next != *to) return false;
      next = to;
    }
  }
  return true;
}

void unused_results::collect_members() {
  const lane_automaton& program = machine_.program();
  members_.assign(program.size(), {});
  for (continuation met = 0; met < program.lanes().size(); ++met) {
    if (const auto c = program.class_of(met)) members_[*c].push_back(met);
  }
}

void unused_results::mark(std::vector<footprints::own>& operations, bool asks) {
  std::vector<place> all = places(operations);
  if (all.empty()) return;
  const fault_handlers handlers;
  collect_members();
  std::vector<std::uint32_t> lanes;
  count_lanes(operations, lanes);
  const lane_automaton& program = machine_.program();
  const std::vector<char> on_cycle =
      nodes_on_cycles(operations.size(), [&](std::uint32_t c, auto f) {
        program.for_each_given(c, [&](std::uint64_t, continuation to) {
          if (to < operations.size()) f(to);
        });
      });
  const auto comes_again = [&](continuation c) { return on_cycle[c] != 0; };
  // An access that turned out to be no update stays none in later rounds. Otherwise rounds might
  // never end, because a round knows less about lanes at its start than at its end.
  std::set<std::uint32_t>& used = machine_.program().used_results();
  for (place& where : all) {
    bool fits = where.fits && !used.contains(where.offset) &&
                std::ranges::none_of(where.updates, comes_again);
    // The answer of an update without a result is 0, whatever value the location has.
    const auto has_result = [&](continuation c) { return program.at(c).mask == 0; };
    if (fits && std::ranges::any_of(where.updates, has_result)) {
      const std::vector<std::uint64_t> values = values_of(where, lanes);
      fits = !values.empty() && std::ranges::all_of(where.updates, [&](continuation c) {
        return leads_to_one_class(c) && is_unused(c, values, asks);
      });
    }
    if (fits) continue;
    used.insert(where.offset);
    for (const continuation c : where.updates) {
      operations[c].updates = false;
      operations[c].writes = true;
    }
  }
}

}  // namespace simt
