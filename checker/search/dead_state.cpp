// Proves states dead by abstract interpretation, tries runs under independent scheduling, and
// searches a few states.
#include "checker/search/dead_state.hpp"

#include "checker/explore/ends/end_search.hpp"
#include "checker/explore/ends/independent_end.hpp"
#include "checker/search/schedule.hpp"

namespace warpcheck {
namespace {

// After so many searches in vain, no more are made.
constexpr std::uint32_t most_in_vain = 8;
// Transitions that one search may take.
constexpr std::uint64_t search_transitions = 200'000;
// A step of a proof takes as long as so many steps of a run.
constexpr std::uint64_t work_of_proof = 4;
// Runs under independent scheduling that try to finish what a warp cannot, and steps of such a run
// for each pair of lanes.
constexpr std::uint64_t tries = 8;
constexpr std::uint64_t steps_of_try = 64;
constexpr std::uint64_t tried_in_time = 256;  // steps between two looks at the time

}  // namespace

dead_states::dead_states(session& run, const limits& bounds)
    : run_(run), bounds_(bounds), proof_(run.machine(), no_end_proof::answers::any) {
  bounds_.time.reset();
  if (!run.machine().has_stacks()) return;
  its_.emplace(under_its(run), run.stores());
  its_proof_.emplace(*its_, no_end_proof::answers::any);
}

bool dead_states::proves(no_end_proof& proof, simt::state_view state) {
  const bool proved = proof.proves(state);
  work_ += work_of_proof * (proof.steps() + state.size());
  return proved;
}

bool dead_states::proves(simt::walker& walk) { return proves(proof_, walk.state()); }

bool dead_states::decides(simt::walker& walk) {
  if (proves(walk)) return true;
  if (searches_in_vain_ >= most_in_vain) return false;
  end_search search(run_.machine(), bounds_);
  search.limit_states(search_transitions / run_.machine().places().lanes.size());
  const end_search::answer answer = search.from(walk.state());
  work_ += search_transitions;
  if (answer == end_search::answer::unknown) ++searches_in_vain_;
  return answer == end_search::answer::never_ends;
}

// Whether some run ends that starts where its_walk_ stands.
bool dead_states::can_finish() {
  const std::uint64_t lanes = its_->places().lanes.size();
  const std::uint64_t most = 1'000 + steps_of_try * lanes * lanes * run_.setup().repeat;
  schedule<simt::walker> order;
  const simt::state_words from = its_walk_->state();
  for (std::uint64_t i = 0; i < tries; ++i) {
    its_walk_->assign(from);
    run_plan plan;
    plan.how = i % 2 == 0 ? bias::sticky_lane : bias::uniform;
    plan.leave = 64;
    order.begin(plan, i, *its_walk_);
    while (its_walk_->steps() < most) {
      if (its_walk_->steps() % tried_in_time == 0) run_.stores().program.give_up_in_time();
      if (its_walk_->is_complete() || its_walk_->diverges()) return true;
      simt::choice by;
      if (its_walk_->awaits_choice()) {
        by = order.settle(*its_walk_);
      } else if (its_walk_->ready().empty() && its_walk_->joint().empty()) {
        break;
      } else {
        by = order.next(*its_walk_);
        if (by.what == simt::choice::kind::lane) by = order.way_of(by.unit, *its_walk_);
      }
      ++work_;
      if (its_walk_->perform(by) != simt::ending::none) return true;
    }
  }
  return false;
}

bool dead_states::is_deadlock(simt::walker& walk) {
  return !its_ || proves(*its_proof_, its_->adopt(walk.state()));
}

std::optional<verdict> dead_states::kind(simt::walker& walk) {
  if (is_deadlock(walk)) return verdict::deadlock;
  const simt::state_words state = its_->adopt(walk.state());
  if (!its_walk_) {
    its_walk_.emplace(*its_);
    its_walk_->watch_races(false);
  }
  its_walk_->assign(state);
  if (can_finish()) return verdict::simt_deadlock;
  end_search search(*its_, bounds_);
  search.limit_states(search_transitions / its_->places().lanes.size());
  work_ += search_transitions;
  switch (search.from(state)) {
    case end_search::answer::ends: return verdict::simt_deadlock;
    case end_search::answer::never_ends: return verdict::deadlock;
    case end_search::answer::unknown: break;
  }
  return std::nullopt;
}

}  // namespace warpcheck
