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

/// The graph of one moment: what lanes have been seen to do so far.
class location_graph {
 public:
  location_graph(machine& of, const memory_facts& facts)
      : machine_(of),
        facts_(facts),
        program_(of.program()),
        locations_(facts.contested.size()),
        words_((locations_ + 63) / 64),
        reached_(program_.reached_from(std::vector{program_.start()})),
        behind_orders_(words_),
        edges_(locations_, bits(words_)) {}

  /// Whether the graph has a circle that the axioms may allow.
  bool has_circle() {
    if (!collect_deeds()) return true;
    add_edges();
    count_orders();
    if (machine_.has_lockstep() && !add_lockstep()) return true;
    for (std::uint32_t x = 0; x < locations_; ++x) {
      if (has(edges_[x], x) && may_go_round(x)) return true;
    }
    const components circles = components_of(locations_, [&](std::uint32_t x, auto f) {
      for (std::size_t w = 0; w < words_; ++w) {
        for (std::uint64_t rest = edges_[x][w]; rest != 0; rest &= rest - 1) {
          f(static_cast<std::uint32_t>(w * 64) +
            static_cast<std::uint32_t>(std::countr_zero(rest)));
        }
      }
    });
    return circles.count < locations_;
  }

 private:
  using bits = std::vector<std::uint64_t>;  // a set of locations
  // What lanes do at a continuation.
  struct deed {
    std::uint32_t reads = none, writes = none;  // locations, by number
    // Other lanes may come behind this operation. `is_joint`: only lanes that wait for each lane of
    // this warp or block. `is_other_order`: any, by a fence.sc or another barrier or collective.
    bool is_joint = false, is_other_order = false;
    // A vote or a shuffle: lanes that come behind it do not learn what this lane has done before.
    bool tells_nothing = false;
    bool is_constant = false;  // such an operation, and all lanes have got the same answer
    // All lanes of the warp or block come behind it, and learn what this lane has done before.
    bool is_barrier = false;
  };

  machine& machine_;
  const memory_facts& facts_;
  lane_automaton& program_;
  std::size_t locations_, words_;
  std::vector<char> reached_;
  std::vector<deed> deeds_;  // by continuation
  components parts_;
  bits behind_orders_;       // locations to which lanes may store behind operations that order
  std::vector<bits> edges_;  // by location
  // By continuation.
  std::vector<passed> votes_, votes_since_barrier_, constant_since_barrier_, barriers_;
  bool has_votes_ = false;
  // By warp, once it is asked for: the continuations to which its lanes may come.
  mutable std::vector<std::vector<char>> reached_by_;
  std::uint32_t barriers_at_exit_ = passed::unbounded;  // the fewest that a lane has passed

  template <class F>
  void for_each_successor(continuation c, F f) const {
    if (reached_[c] == 0) return;
    program_.for_each_given(c, [&](std::uint64_t, continuation to) { f(to); });
  }

  /// False: an access covers a part of a contested location, or several.
  bool collect_deeds() {
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> number_of;
    for (const std::uint32_t offset : facts_.contested) {
      number_of.emplace(offset, static_cast<std::uint32_t>(number_of.size()));
    }
    deeds_.resize(program_.size());
    for (continuation c = 0; c < deeds_.size(); ++c) {
      if (reached_[c] == 0) continue;
      const operation op = program_.at(c);
      note_order(op, deeds_[c]);
      if (deeds_[c].tells_nothing) {
        std::size_t answers = 0;
        program_.for_each_given(c, [&](std::uint64_t, continuation) { ++answers; });
        deeds_[c].is_constant = answers < 2;
      }
      const operation_traits t = machine_.lanes().traits(c);
      if (t.what != operation_traits::kind::access || touches_no_value(op)) continue;
      const bool is_contested = facts_.contested.contains(t.offset);
      const auto next = facts_.contested.upper_bound(t.offset);
      if (next != facts_.contested.end() && *next < t.offset + t.size) return false;
      // A plain access waits for nobody, and nobody waits for a plain store.
      if (!is_contested || !access_of(op).strong) continue;
      // Agents promise nothing, so nothing comes before what a copy reads.
      if (!is_store(op) && op.number == 0) deeds_[c].reads = number_of.at(t.offset);
      if (!is_load(op)) deeds_[c].writes = number_of.at(t.offset);
    }
    return true;
  }

  void note_order(const operation& op, deed& d) const {
    if (may_order(op.kind) && op.order == memory_order::seq_cst) d.is_other_order = true;
    if (!meets_others(op.kind)) return;
    const bool is_collective = op.kind == operation_kind::collective;
    const bool is_joint = is_collective ? machine_.places().are_covered_by(op.mask) &&
                                              op.collective != detail::collective_kind::activemask
                                        : op.barrier == barrier_part::syncthreads;
    (is_joint ? d.is_joint : d.is_other_order) = true;
    d.tells_nothing = is_collective ? op.collective != detail::collective_kind::syncwarp
                                    : is_half(op.barrier) && op.order == memory_order::relaxed;
    // In lockstep each lane passes a syncwarp by itself.
    d.is_barrier = is_joint && !d.tells_nothing && !(is_collective && machine_.has_lockstep());
  }

  /// Adds an edge from each location that is read to those that may be stored to behind that.
  void add_edges() {
    const auto successors = [this](continuation c, auto f) { for_each_successor(c, f); };
    parts_ = components_of(deeds_.size(), successors);
    struct behind {
      bits writes;
      bool has_order = false;
    };
    std::vector<behind> after(parts_.count, {bits(words_), false});
    std::vector<behind> from(parts_.count, {bits(words_), false});  // with the part itself
    std::vector<char> is_circle(parts_.count, 0);
    for (std::size_t i = 0; i < parts_.order.size(); ++i) {
      const continuation c = parts_.order[i];
      const std::uint32_t part = parts_.of[c];
      if (reached_[c] == 0) continue;
      const deed& d = deeds_[c];
      if (d.writes != none) add(from[part].writes, d.writes);
      from[part].has_order = from[part].has_order || d.is_joint || d.is_other_order;
      for_each_successor(c, [&](continuation to) {
        const std::uint32_t other = parts_.of[to];
        if (other == part) {
          is_circle[part] = 1;
          return;
        }
        add(after[part].writes, from[other].writes);
        after[part].has_order = after[part].has_order || from[other].has_order;
      });
      // The last continuation of its part: all that the part leads to is known.
      const bool is_last = i + 1 == parts_.order.size() || parts_.of[parts_.order[i + 1]] != part;
      if (!is_last) continue;
      add(from[part].writes, after[part].writes);
      from[part].has_order = from[part].has_order || after[part].has_order;
      if (is_circle[part] != 0) after[part] = from[part];
    }
    for (continuation c = 0; c < deeds_.size(); ++c) {
      if (deeds_[c].is_joint || deeds_[c].is_other_order)
        add(behind_orders_, after[parts_.of[c]].writes);
    }
    for (continuation c = 0; c < deeds_.size(); ++c) {
      if (deeds_[c].reads == none) continue;
      const behind& later = after[parts_.of[c]];
      add(edges_[deeds_[c].reads], later.writes);
      if (later.has_order) add(edges_[deeds_[c].reads], behind_orders_);
    }
  }

  void count_orders() {
    const auto successors = [this](continuation c, auto f) { for_each_successor(c, f); };
    const auto is_vote = [this](continuation c) { return deeds_[c].tells_nothing; };
    const auto is_joint_vote = [this](continuation c) {
      return deeds_[c].tells_nothing && deeds_[c].is_joint;
    };
    const auto is_barrier = [this](continuation c) { return deeds_[c].is_barrier; };
    const auto never = [](continuation) { return false; };
    const continuation start = program_.start();
    barriers_ = count_passed(parts_, start, successors, is_barrier, is_barrier, never);
    for (continuation c = 0; c < deeds_.size(); ++c) {
      for_each_successor(c, [&](continuation to) {
        if (to == exited) barriers_at_exit_ = std::min(barriers_at_exit_, barriers_[c].least);
      });
    }
    has_votes_ = std::ranges::any_of(deeds_, &deed::tells_nothing);
    if (!has_votes_) return;
    votes_ = count_passed(parts_, start, successors, is_joint_vote, is_vote, never);
    votes_since_barrier_ = count_passed(parts_, start, successors, never, is_vote, is_barrier);
    const auto is_constant = [this](continuation c) { return deeds_[c].is_constant; };
    constant_since_barrier_ =
        count_passed(parts_, start, successors, never, is_constant, is_barrier);
  }

  // What one lane does, by location. A lane reads a location behind at most `barriers_before`
  // barriers. Behind at least `barriers_behind` it may store there, or come to an operation behind
  // which others store there.
  struct doings {
    std::vector<std::uint32_t> barriers_before, barriers_behind;
    bits reads, writes;
  };

  /// Calls f with each continuation to which the lane may come. `seen`: scratch, of all lanes.
  template <class F>
  void for_each_reached(std::uint32_t lane, std::vector<std::uint32_t>& seen, F f) const {
    std::vector<continuation> open;
    const auto come = [&](continuation c) {
      if (seen[c] == lane) return;
      seen[c] = lane;
      open.push_back(c);
    };
    come(program_.start());
    while (!open.empty()) {
      const continuation c = open.back();
      open.pop_back();
      f(c);
      if (machine_.lanes().traits(c).what == operation_traits::kind::local) {
        const auto to = program_.given(c, machine_.lanes().local_answer(lane, program_.at(c)));
        if (to) come(*to);
      } else {
        program_.for_each_given(c, [&](std::uint64_t, continuation to) { come(to); });
      }
    }
  }

  doings doings_of(std::uint32_t lane, std::vector<std::uint32_t>& seen) const {
    doings own{std::vector<std::uint32_t>(locations_, 0),
               std::vector<std::uint32_t>(locations_, passed::unbounded), bits(words_),
               bits(words_)};
    std::uint32_t before_order = passed::unbounded;
    for_each_reached(lane, seen, [&](continuation c) {
      const deed& d = deeds_[c];
      if (d.reads != none) {
        add(own.reads, d.reads);
        std::uint32_t& before = own.barriers_before[d.reads];
        before = std::max(before, barriers_[c].most);
      }
      if (d.writes != none) {
        add(own.writes, d.writes);
        std::uint32_t& behind = own.barriers_behind[d.writes];
        behind = std::min(behind, barriers_[c].least);
      }
      if (d.is_other_order) before_order = std::min(before_order, barriers_[c].least);
      if (d.is_other_order) add(own.writes, behind_orders_);
    });
    for (std::uint32_t x = 0; x < locations_; ++x) {
      if (!has(behind_orders_, x)) continue;
      own.barriers_behind[x] = std::min(own.barriers_behind[x], before_order);
    }
    return own;
  }

  /// A waiting lane holds up the other lanes of its warp, which is no order of memory: adds edges
  /// from what the lane reads to what they do. False: a circle at one location may be allowed.
  bool add_lockstep() {
    const grid_places& places = machine_.places();
    if (places.lanes.size() > most_lanes_in_lockstep) return false;
    std::vector<std::uint32_t> seen(deeds_.size(), none);
    for (const warp_place& warp : places.warps) {
      std::vector<doings> by_lane;
      for (std::uint32_t l = 0; l < warp.lanes; ++l) {
        by_lane.push_back(doings_of(warp.first + l, seen));
      }
      for (std::uint32_t l = 0; l < warp.lanes; ++l) {
        for (std::uint32_t m = 0; m < warp.lanes; ++m) {
          if (m != l && !add_held_up(by_lane[l], by_lane[m])) return false;
        }
      }
    }
    return true;
  }

  bool add_held_up(const doings& waiting, const doings& held) {
    for (std::uint32_t x = 0; x < locations_; ++x) {
      if (!has(waiting.reads, x)) continue;
      add(edges_[x], held.writes);
      // A barrier between the two tells of the read, unless the reading lane exits before.
      const std::uint32_t told = std::min(held.barriers_behind[x], barriers_at_exit_);
      if (has(held.writes, x) && told <= waiting.barriers_before[x]) return false;
    }
    return true;
  }

  /// Whether a circle at this location alone may be allowed. It goes round in coherence order, if
  /// each lane tells the next one of its read.
  [[nodiscard]] bool may_go_round(std::uint32_t x) const {
    if (facts_.narrow) return true;
    if (!has_votes_ || !goes_untold(x, reached_)) return false;
    find_reached_by_warps();
    return std::ranges::any_of(
        reached_by_, [&](const std::vector<char>& reached) { return goes_untold(x, reached); });
  }

  /// Whether one of these continuations reads `x`, and another lane of the warp may, without
  /// knowing of that read, store there behind a vote, or let others store there.
  [[nodiscard]] bool goes_untold(std::uint32_t x, const std::vector<char>& reached) const {
    for (continuation c = 0; c < deeds_.size(); ++c) {
      if (reached[c] != 0 && deeds_[c].reads == x && goes_untold(c, x, reached)) return true;
    }
    return false;
  }

  [[nodiscard]] bool goes_untold(continuation from, std::uint32_t x,
                                 const std::vector<char>& reached) const {
    std::uint32_t at_exit = passed::unbounded, at_barrier = 0;
    bool has_barrier = false;
    for (continuation c = 0; c < deeds_.size(); ++c) {
      if (reached[c] == 0 || votes_[c].most <= votes_[from].least) continue;
      const deed& d = deeds_[c];
      if (d.writes == x && votes_since_barrier_[c].most > 0) return true;
      // A vote whose answer decides what lanes do takes the values read with it.
      const bool orders_others = d.is_other_order && !d.tells_nothing && has(behind_orders_, x);
      if (orders_others && constant_since_barrier_[c].most > 0) return true;
      for_each_successor(c, [&](continuation to) {
        if (to == exited) at_exit = std::min(at_exit, barriers_[c].least);
      });
      if (!d.is_barrier || constant_since_barrier_[c].most == 0) continue;
      has_barrier = true;
      at_barrier = std::max(at_barrier, barriers_[c].most);
    }
    // A barrier of all lanes tells of the read, unless the reading lane exits before.
    return has_barrier && at_exit <= at_barrier && has(behind_orders_, x);
  }

  void find_reached_by_warps() const {
    if (!reached_by_.empty()) return;
    std::vector<std::uint32_t> seen(deeds_.size(), none);
    for (const warp_place& warp : machine_.places().warps) {
      std::vector<char>& reached = reached_by_.emplace_back(deeds_.size(), 0);
      for (std::uint32_t l = warp.first; l < warp.first + warp.lanes; ++l) {
        for_each_reached(l, seen, [&](continuation c) { reached[c] = 1; });
      }
    }
  }
};

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
  const memory_facts& facts = memory_.rules().facts();
  if (facts.all_contested || machine_.program().lanes().launches() > 1) return true;
  if (facts.contested.size() > most_locations) return true;
  return location_graph(machine_, facts).has_circle();
}

}  // namespace simt
