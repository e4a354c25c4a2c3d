// Builds a graph of contested locations, and looks for circles in it. An edge leads from a location
// that a lane reads to one that it may store to later.
#include "sim/machine/promises/circles_of_locations.hpp"

#include <algorithm>
#include <bit>

#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/automaton/components.hpp"
#include "sim/lane/operation_table.hpp"
#include "sim/machine/machine.hpp"

namespace simt {
namespace {

// With more than this, the search would take longer than promises do.
constexpr std::size_t most_locations = 4'096;
constexpr std::size_t most_lanes_in_lockstep = 256;
constexpr std::uint32_t none = 0xffffffff;

void add(std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& more) {
  for (std::size_t w = 0; w < to.size(); ++w) to[w] |= more[w];
}

void add(std::vector<std::uint64_t>& to, std::uint32_t one) {
  to[one / 64] |= std::uint64_t{1} << (one % 64);
}

bool has(const std::vector<std::uint64_t>& set, std::uint32_t one) {
  return (set[one / 64] >> (one % 64) & 1U) != 0;
}

// How many operations of some kind a lane has passed when it comes to a continuation, over all ways
// from its start.
struct passed {
  static constexpr std::uint32_t unbounded = 0xffffffff;
  std::uint32_t least = unbounded, most = 0;
};

// Returns `passed` of each continuation. `counts_least(c)`: the operation at `c` counts for
// `least`; `counts_most(c)`: for `most`; `resets(c)`: behind it, none has been passed.
template <class Successors, class Least, class Most, class Resets>
std::vector<passed> count_passed(const components& parts, continuation start, Successors successors,
                                 Least counts_least, Most counts_most, Resets resets) {
  std::vector<passed> before(parts.count);
  before[parts.of[start]].least = 0;
  const std::size_t count = parts.order.size();
  for (std::size_t end = count; end > 0;) {
    const std::uint32_t part = parts.of[parts.order[end - 1]];
    std::size_t first = end;
    bool is_circle = false, has_counted = false;
    for (; first > 0 && parts.of[parts.order[first - 1]] == part; --first) {
      const continuation c = parts.order[first - 1];
      has_counted = has_counted || counts_most(c);
      successors(c, [&](continuation to) { is_circle = is_circle || parts.of[to] == part; });
    }
    if (is_circle && has_counted) before[part].most = passed::unbounded;
    for (std::size_t i = first; i < end; ++i) {
      const continuation c = parts.order[i];
      passed behind = before[part];
      if (!is_circle && counts_least(c) && behind.least < passed::unbounded) ++behind.least;
      if (counts_most(c) && behind.most < passed::unbounded) ++behind.most;
      if (resets(c)) behind = {0, 0};
      successors(c, [&](continuation to) {
        passed& there = before[parts.of[to]];
        if (parts.of[to] == part) return;
        there.least = std::min(there.least, behind.least);
        there.most = std::max(there.most, behind.most);
      });
    }
    end = first;
  }
  std::vector<passed> all(count);
  for (continuation c = 0; c < count; ++c) all[c] = before[parts.of[c]];
  return all;
}

}  // namespace

bool circles_of_locations::may_be() {
  const auto extent = machine_.program().extent();
  const std::array<std::uint64_t, 4> now{extent[0], extent[1], extent[2],
                                         memory_.rules().facts().contested.size()};
  if (is_known_ && now == known_) return may_be_;
  known_ = now;
  is_known_ = true;
  may_be_ = find();
  return may_be_;
}

bool circles_of_locations::find() {
  lane_automaton& program = machine_.program();
  const memory_facts& facts = memory_.rules().facts();
  if (facts.all_contested || program.lanes().launches() > 1) return true;
  if (facts.contested.size() > most_locations) return true;
  const std::size_t locations = facts.contested.size();
  const std::size_t words = (locations + 63) / 64;
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> number_of;
  for (const std::uint32_t offset : facts.contested) {
    number_of.emplace(offset, static_cast<std::uint32_t>(number_of.size()));
  }

  // What lanes do at each continuation.
  struct deed {
    std::uint32_t reads = none, writes = none;  // locations, by number
    // Other lanes may come behind this operation. `is_joint`: only lanes that wait for each lane of
    // this warp or block. `is_other_order`: any, by a fence.sc or another barrier or collective.
    bool is_joint = false, is_other_order = false;
    // A vote or a shuffle: lanes that come behind it do not learn what this lane has done before.
    bool tells_nothing = false;
  };
  const std::vector<char> reached = program.reached_from(std::vector{program.start()});
  const std::size_t count = program.size();
  std::vector<deed> deeds(count);
  for (continuation c = 0; c < count; ++c) {
    if (reached[c] == 0) continue;
    const operation op = program.at(c);
    const operation_traits t = machine_.lanes().traits(c);
    deed& d = deeds[c];
    if (meets_others(op.kind)) {
      const bool is_joint = op.kind == operation_kind::barrier
                                ? op.barrier == barrier_part::syncthreads
                                : machine_.places().are_covered_by(op.mask) &&
                                      op.collective != detail::collective_kind::activemask;
      (is_joint ? d.is_joint : d.is_other_order) = true;
      const bool is_relaxed = op.kind == operation_kind::barrier && is_half(op.barrier) &&
                              op.order == memory_order::relaxed;
      d.tells_nothing = is_relaxed || (op.kind == operation_kind::collective &&
                                       op.collective != detail::collective_kind::syncwarp);
    }
    if (may_order(op.kind) && op.order == memory_order::seq_cst) d.is_other_order = true;
    if (t.what != operation_traits::kind::access || touches_no_value(op)) continue;
    if (!facts.contested.contains(t.offset)) {
      // The access covers a part of a contested location, or several: treated as a circle.
      const auto next = facts.contested.lower_bound(t.offset);
      if (next != facts.contested.end() && *next < t.offset + t.size) return true;
      continue;
    }
    const auto next = facts.contested.upper_bound(t.offset);
    if (next != facts.contested.end() && *next < t.offset + t.size) return true;
    // A plain access waits for nobody, and nobody waits for a plain store.
    if (!access_of(op).strong) continue;
    // Agents promise nothing, so nothing comes before what a copy reads.
    if (!is_store(op) && op.number == 0) d.reads = number_of.at(t.offset);
    if (!is_load(op)) d.writes = number_of.at(t.offset);
  }

  // The operations that come behind each operation.
  const auto successors = [&](std::uint32_t c, auto f) {
    if (reached[c] == 0) return;
    program.for_each_given(c, [&](std::uint64_t, continuation to) { f(to); });
  };
  const components parts = components_of(count, successors);
  struct behind {
    std::vector<std::uint64_t> writes;
    bool has_order = false;
  };
  std::vector<behind> after(parts.count, {bits(words), false});
  std::vector<behind> from(parts.count, {bits(words), false});  // with the part itself
  std::vector<char> is_circle(parts.count, 0);
  for (std::size_t i = 0; i < parts.order.size(); ++i) {
    const continuation c = parts.order[i];
    const std::uint32_t part = parts.of[c];
    if (reached[c] == 0) continue;
    const deed& d = deeds[c];
    if (d.writes != none) add(from[part].writes, d.writes);
    from[part].has_order = from[part].has_order || d.is_joint || d.is_other_order;
    successors(c, [&](continuation to) {
      const std::uint32_t other = parts.of[to];
      if (other == part) {
        is_circle[part] = 1;
        return;
      }
      add(after[part].writes, from[other].writes);
      after[part].has_order = after[part].has_order || from[other].has_order;
    });
    // The last continuation of its part: all that the part leads to is known.
    const bool is_last = i + 1 == parts.order.size() || parts.of[parts.order[i + 1]] != part;
    if (!is_last) continue;
    add(from[part].writes, after[part].writes);
    from[part].has_order = from[part].has_order || after[part].has_order;
    if (is_circle[part] != 0) after[part] = from[part];
  }
  bits behind_orders(words);
  for (continuation c = 0; c < count; ++c) {
    if (deeds[c].is_joint || deeds[c].is_other_order) add(behind_orders, after[parts.of[c]].writes);
  }
  std::vector<bits> edges(locations, bits(words));
  for (continuation c = 0; c < count; ++c) {
    if (deeds[c].reads == none) continue;
    const behind& later = after[parts.of[c]];
    add(edges[deeds[c].reads], later.writes);
    if (later.has_order) add(edges[deeds[c].reads], behind_orders);
  }

  if (machine_.has_lockstep()) {
    // A waiting lane holds up the other lanes of its warp, which is no order of memory.
    const grid_places& places = machine_.places();
    if (places.lanes.size() > most_lanes_in_lockstep) return true;
    struct doings {
      std::vector<std::uint64_t> reads, writes;
    };
    std::vector<doings> by_lane(places.lanes.size(), {bits(words), bits(words)});
    std::vector<continuation> open;
    std::vector<std::uint32_t> seen(count, none);
    for (std::uint32_t lane = 0; lane < by_lane.size(); ++lane) {
      doings& own = by_lane[lane];
      const auto come = [&](continuation c) {
        if (seen[c] == lane) return;
        seen[c] = lane;
        open.push_back(c);
      };
      come(program.start());
      while (!open.empty()) {
        const continuation c = open.back();
        open.pop_back();
        const deed& d = deeds[c];
        if (d.reads != none) add(own.reads, d.reads);
        if (d.writes != none) add(own.writes, d.writes);
        if (d.is_other_order) add(own.writes, behind_orders);
        if (machine_.lanes().traits(c).what == operation_traits::kind::local) {
          const auto to = program.given(c, machine_.lanes().local_answer(lane, program.at(c)));
          if (to) come(*to);
        } else {
          program.for_each_given(c, [&](std::uint64_t, continuation to) { come(to); });
        }
      }
    }
    for (const warp_place& warp : places.warps) {
      for (std::uint32_t l = warp.first; l < warp.first + warp.lanes; ++l) {
        bits of_others(words);
        for (std::uint32_t m = warp.first; m < warp.first + warp.lanes; ++m) {
          if (m != l) add(of_others, by_lane[m].writes);
        }
        for (std::uint32_t x = 0; x < locations; ++x) {
          if (!has(by_lane[l].reads, x)) continue;
          if (has(of_others, x)) return true;
          add(edges[x], of_others);
        }
      }
    }
  }

  // A circle at one location goes round in coherence order, if each lane tells the next one of its
  // read.
  const bool may_tell_nothing = std::ranges::any_of(deeds, &deed::tells_nothing);
  std::vector<passed> votes, votes_since_barrier, barriers;
  if (may_tell_nothing) {
    const auto is_vote = [&](continuation c) { return deeds[c].tells_nothing; };
    const auto is_joint_vote = [&](continuation c) { return is_vote(c) && deeds[c].is_joint; };
    const auto is_barrier = [&](continuation c) { return deeds[c].is_joint && !is_vote(c); };
    const auto never = [](continuation) { return false; };
    const continuation start = program.start();
    votes = count_passed(parts, start, successors, is_joint_vote, is_vote, never);
    votes_since_barrier = count_passed(parts, start, successors, never, is_vote, is_barrier);
    barriers = count_passed(parts, start, successors, is_barrier, is_barrier, never);
  }
  // Whether another lane may store to `x` behind a vote that comes behind the read at `from`,
  // without knowing of that read.
  const auto goes_untold = [&](continuation from, std::uint32_t x) {
    const std::uint32_t before = votes[from].least;
    const auto is_behind_vote = [&](continuation c) {
      return reached[c] != 0 && votes[c].most > before;
    };
    std::uint32_t at_exit = passed::unbounded, at_barrier = 0;
    bool has_barrier = false;
    for (continuation c = 0; c < count; ++c) {
      if (!is_behind_vote(c)) continue;
      const deed& d = deeds[c];
      const bool orders_others = d.is_other_order && !d.tells_nothing && has(behind_orders, x);
      if (votes_since_barrier[c].most > 0 && (d.writes == x || orders_others)) return true;
      successors(c, [&](continuation to) {
        if (to == exited) at_exit = std::min(at_exit, barriers[c].least);
      });
      if (!d.is_joint || d.tells_nothing) continue;
      has_barrier = true;
      at_barrier = std::max(at_barrier, barriers[c].most);
    }
    // A barrier of all lanes tells of the read, unless the reading lane exits before.
    return has_barrier && at_exit <= at_barrier && has(behind_orders, x);
  };
  for (std::uint32_t x = 0; x < locations; ++x) {
    if (!has(edges[x], x)) continue;
    if (facts.narrow) return true;
    for (continuation c = 0; may_tell_nothing && c < count; ++c) {
      if (deeds[c].reads == x && goes_untold(c, x)) return true;
    }
  }
  const components circles = components_of(locations, [&](std::uint32_t x, auto f) {
    for (std::size_t w = 0; w < words; ++w) {
      for (std::uint64_t rest = edges[x][w]; rest != 0; rest &= rest - 1) {
        f(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(rest)));
      }
    }
  });
  return circles.count < locations;
}

}  // namespace simt
