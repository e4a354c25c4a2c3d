// Steps that commute with all that other lanes may do, and lanes that meet at a location:
// docs/reductions.md, "Steps that commute" and "Lanes that meet".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/machine/memory/operation_traits.hpp"
#include "sim/machine/reduce/access_uses.hpp"
#include "sim/machine/reduce/footprint.hpp"
#include "sim/machine/reduce/others_reach.hpp"
#include "sim/machine/step_list.hpp"

namespace simt {

class machine;
class reach_without;

/// The reduction by order, for one machine. It needs footprints.
class steps_ahead {
 public:
  struct settings {
    /// Under `stack`: ignores what lanes of a warp do after they have left lockstep. Then a state
    /// with another kind of deadlock may hide a SIMT deadlock.
    bool trusts_lockstep = false;
    /// Asks reach_without what lanes can do while one of them stands still. That pays in grids of
    /// many lanes.
    bool asks_further = false;
  };
  steps_ahead(machine& of, footprints& reaches, settings what);
  ~steps_ahead();
  steps_ahead(const steps_ahead&) = delete;
  steps_ahead& operator=(const steps_ahead&) = delete;

  /// Takes steps in `words` that concern no other lane, and appends them to `made` (which may be
  /// null). Returns whether there were any.
  bool run(std::span<std::uint32_t> words, std::vector<choice>* made);
  /// The first of the unit's enabled lanes whose operation concerns no other lane.
  [[nodiscard]] std::optional<std::uint32_t> lane_ahead(state_view state, std::uint32_t unit);
  /// Whether no other lane can reach a conflicting access while `lane` stands at its access.
  /// `lockstep`: the lanes of the warp at the same instruction.
  [[nodiscard]] bool is_left_alone(state_view state, std::uint32_t lane, std::uint32_t lockstep);
  /// Whether a step may run ahead because others cannot come to its location while its lane stands.
  [[nodiscard]] bool asks_further() const { return without_ != nullptr; }
  [[nodiscard]] access_uses& uses() { return uses_; }
  /// Records in the footprints that a barrier divergence was met. True: that is news.
  bool meet_divergence() { return reaches_.meet_divergence(); }
  /// The most steps that one lane or warp runs ahead in a row. Then its run is cut off.
  static constexpr std::size_t steps_of_cut_run = 1'000;
  /// How many runs were cut off so far.
  [[nodiscard]] std::uint64_t cut_runs() const { return cut_runs_; }
  /// Forgets what rests on lists that were cut short.
  void forget();

  /// A location where lanes wait whose steps alone may suffice: meeting.cpp.
  struct meeting_place {
    std::uint32_t offset = 0, size = 0;   // bytes that the lanes access
    std::uint32_t lanes = 0;              // the number of lanes that wait there
    footprints::use_set conflicting = 0;  // uses that do not commute with some of their accesses
  };
  /// Finds a location for which it suffices to list the steps of its lanes. Null: there is none.
  /// The pointer is valid until the next call. For lists of the steps of all lanes.
  [[nodiscard]] const meeting_place* find_meeting(state_view state);
  /// Whether a lane at `c` waits at that location.
  [[nodiscard]] bool is_at(continuation c, const meeting_place& there);

 private:
  machine& machine_;
  footprints& reaches_;
  settings settings_;
  access_uses uses_;
  others_reach others_;
  std::unique_ptr<reach_without> without_;  // null: not asked
  std::vector<meeting_place> meetings_;     // scratch of find_meeting
  std::uint64_t cut_runs_ = 0;
  std::vector<char> loops_;  // units that loop in steps ahead: left alone
  std::vector<char> owed_;   // scratch: units that are owed progress
  successor_list groups_;    // scratch of group_ahead

  bool go_ahead(std::span<std::uint32_t> words, std::vector<choice>* made);
  bool lanes_ahead(std::span<std::uint32_t> words, std::vector<choice>* made);
  bool group_ahead(std::span<std::uint32_t> words, std::vector<choice>* made);
  bool unit_ahead(std::span<std::uint32_t> words, std::uint32_t unit, std::uint32_t begin,
                  std::vector<choice>* made);
  /// Takes a step of `lane`. False: the step has several outcomes or ends the run, and nothing has
  /// changed.
  bool step_of(std::span<std::uint32_t> words, std::uint32_t lane);
  [[nodiscard]] const transition* way_on(state_view state, std::uint32_t lane,
                                         const successor_list& all);
  /// Whether a lane that reaches `next` may make the state a barrier divergence, now or later.
  [[nodiscard]] bool may_diverge_at(continuation next);
  [[nodiscard]] bool may_go_to(state_view state, std::uint32_t lane, continuation next);
  [[nodiscard]] bool concerns_nobody(state_view state, std::uint32_t lane, std::uint32_t lockstep);
  /// Like concerns_nobody(), for memory models whose state is more than an image.
  [[nodiscard]] bool concerns_nobody_in_memory(state_view state, std::uint32_t lane);
  /// Like is_left_alone(), but looks at values in memory where footprints say that other lanes may
  /// come there.
  [[nodiscard]] bool stays_alone(state_view state, std::uint32_t lane, bool only_beyond_warp);
  [[nodiscard]] bool ends_waits(state_view state, std::uint32_t lane);
  [[nodiscard]] bool may_meet_there(state_view state, const meeting_place& there);
  template <class F>
  void for_each_lane_at(state_view state, const meeting_place& there, F f);
};

}  // namespace simt
