// Chooses by chance which lane takes the next step of a run.
//
// Biases differ in which schedules they make likely:
//   uniform      every lane that may step has the same chance, at every step;
//   sticky_lane  the lane that has just stepped goes on, but for one time in `leave`;
//   sticky_warp  the warp that has just stepped goes on, but for one time in `leave`, by any lane;
//   priorities   PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with
//                probabilistic guarantees of finding bugs, ASPLOS 2010). Lanes have priorities in
//                random order, and the highest that can step does. At `depth` - 1 random events the
//                lane that is about to act becomes the lowest. Events are steps, and the choices of
//                sides and blocks: in lockstep, steps alone do not settle which lane goes first.
// For PCT, a lane that spins counts as unable to step until memory changes: see `notice`.
// All biases but priorities can have slow lanes or slow warps, and prefer one side of a branch.
// Under weak memory, chance also says which message a lane reads or stores behind, and whether it
// promises a store (`way_of`).
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "checker/search/random_source.hpp"
#include "sim/machine/walk/walker.hpp"
#include "sim/machine/weak/weak_walker.hpp"

namespace warpcheck {

enum class bias : std::uint8_t { uniform, sticky_lane, sticky_warp, priorities };
enum class slow_units : std::uint8_t { none, lanes, warps };
enum class side_order : std::uint8_t { any, lowest_lane_first, lowest_lane_last };
/// Of the messages that a lane may read (or store behind): any, or most often the newest or oldest.
enum class message_choice : std::uint8_t { any, newest, oldest };

struct run_plan {
  bias how = bias::uniform;
  std::uint32_t leave = 2;   // sticky: a power of two
  std::uint32_t depth = 1;   // priorities
  std::uint64_t length = 1;  // priorities: events among which the changes are drawn
  slow_units slow = slow_units::none;
  std::uint32_t slow_share = 2;  // one unit in so many is slow
  std::uint32_t slowness = 2;    // a drawn slow lane steps one time in so many: a power of 2
  side_order sides = side_order::any;
  // Under weak memory only.
  message_choice messages = message_choice::any;
  std::uint32_t promise_share = 4;  // one step in so many looks at promises; 0: none does
};

/// `Walk` is simt::walker or simt::weak_walker.
template <class Walk>
class schedule {
 public:
  static constexpr std::uint32_t nobody = 0xffffffff;

  /// Begins a run. `walk` must stand at its initial state.
  void begin(const run_plan& plan, std::uint64_t seed, const Walk& walk);

  /// Returns a choice that takes no step. The walk must await one.
  simt::choice settle(const Walk& walk);
  /// Returns a joint step of lanes, or a lane that steps alone. Something must be able to happen.
  simt::choice next(const Walk& walk);
  /// Returns the lane that steps, if lanes can only step alone. With priorities: returns `nobody`
  /// if all of them spin; the next call makes one of them step all the same.
  std::uint32_t lane(const Walk& walk) {
    switch (plan_.how) {
      case bias::sticky_lane:
        if ((random_.next() >> 32 & (plan_.leave - 1)) != 0 && current_ != nobody &&
            walk.is_ready(current_)) {
          return current_;
        }
        break;
      case bias::sticky_warp:
        if (current_ != nobody && (random_.next() >> 32 & (plan_.leave - 1)) != 0) {
          if (const std::uint32_t lanes = walk.ready_in(current_)) return any_of(walk, lanes);
        }
        break;
      case bias::priorities: return by_priority(walk);
      case bias::uniform: break;
    }
    const auto ready = walk.ready();
    std::uint32_t lane = ready[random_.below(static_cast<std::uint32_t>(ready.size()))];
    if (plan_.slow != slow_units::none) [[unlikely]]
      lane = spare_slow(lane, ready);
    current_ = plan_.how == bias::sticky_warp ? walk.follows().places().lanes[lane].warp : lane;
    return lane;
  }
  /// Returns what `lane` does, which steps alone.
  simt::choice way_of(std::uint32_t lane, Walk& walk);
  /// If lanes may promise stores: whether the next step looks at promises.
  bool looks_for_promises() {
    return plan_.promise_share != 0 && random_.below(plan_.promise_share) == 0;
  }
  /// Notes that `lane` has taken its step.
  void stepped(std::uint32_t lane, const Walk& walk) {
    if (plan_.how == bias::priorities) notice(lane, walk);
  }
  /// Returns the number of steps and of choices that took none, since the run began.
  [[nodiscard]] std::uint64_t events(const Walk& walk) const { return walk.steps() + moves_; }

 private:
  run_plan plan_;
  random_source random_{0};
  std::uint64_t moves_ = 0;         // choices that took no step
  std::vector<char> slow_;          // by lane
  std::uint32_t current_ = nobody;  // sticky: a lane or a warp

  // For priorities. Rank 0 is the highest. Ranks from the number of lanes on are for lanes whose
  // priority has been changed.
  std::vector<std::uint32_t> lane_of_;  // by rank
  std::vector<std::uint32_t> rank_of_;  // by lane
  std::vector<std::uint64_t> present_;  // ranks that belong to a lane, 64 in each word
  std::vector<std::uint64_t> awake_;    // those of `present_` whose lanes do not spin
  struct change {
    std::uint64_t event;  // counted from 1
    std::uint32_t rank;   // new rank of the lane that is about to act
  };
  std::vector<change> changes_;  // the next one comes last
  std::uint64_t memory_ = 0;     // the memory for which `awake_` holds
  bool stalled_ = false;         // all ready lanes spin, and lane() has returned `nobody` for that
  std::uint64_t turn_ = 0;
  // To see that a lane spins: its continuation some steps ago, with unchanged memory (Brent 1980).
  struct mark {
    simt::continuation at = 0;
    std::uint64_t memory = ~std::uint64_t{0};
    std::uint32_t steps = 0, power = 1;
    std::uint64_t last_turn = 0;
  };
  std::vector<mark> marks_;  // by lane

  std::uint32_t any_of(const Walk& walk, std::uint32_t lanes);
  std::uint32_t spare_slow(std::uint32_t lane, std::span<const std::uint32_t> ready);
  simt::choice together(const typename Walk::joint_step& step);
  std::uint32_t by_priority(const Walk& walk);
  std::uint32_t highest(const Walk& walk);
  std::uint32_t least_recent(const Walk& walk) const;
  void lower(std::uint32_t lane, std::uint32_t to);
  bool is_lowered(std::uint32_t lane, const Walk& walk);
  void put_last(std::uint32_t lane);
  void notice(std::uint32_t lane, const Walk& walk);
  [[nodiscard]] std::uint32_t rank(const Walk& walk, const simt::choice& by) const;
};

}  // namespace warpcheck
