// Searches a bounded number of states for an end, under the run's reconvergence and under
// independent scheduling.
#include "checker/search/weak_dead_states.hpp"

#include <algorithm>

#include "checker/explore/ends/end_search.hpp"
#include "checker/explore/ends/independent_end.hpp"

namespace warpcheck {
namespace {

// Most states of a short and of a long look, and their work: about a fifth of a second, and two.
constexpr std::uint64_t short_look = 500;
constexpr std::uint64_t short_work = 2'000'000;
constexpr std::uint64_t long_look = 10'000;
constexpr std::uint64_t long_work = 20'000'000;
// After so many long looks in vain, only short ones are made.
constexpr std::uint32_t most_weak_in_vain = 8;

}  // namespace

weak_dead_states::weak_dead_states(const session& run, simt::machine_stores& stores,
                                   simt::machine& machine, const limits& bounds)
    : machine_(machine), bounds_(bounds) {
  bounds_.time.reset();
  bounds_.threads = 1;
  bounds_.progress = nullptr;
  if (machine.has_stacks()) its_.emplace(under_its(run), stores);
}

std::uint64_t weak_dead_states::work_of_state() const {
  const std::uint64_t lanes = machine_.places().lanes.size();
  return lanes * work_of_step(lanes);
}

std::uint64_t weak_dead_states::states_of(std::uint64_t most, std::uint64_t work) const {
  return std::clamp<std::uint64_t>(work / work_of_state(), 8, most);
}

bool weak_dead_states::never_ends(const simt::weak_walker& walk, std::uint64_t states) {
  // A promise must be kept first, or the run is no execution.
  if (walk.has_promises()) return false;
  end_search search(machine_, bounds_);
  search.limit_states(states);
  const end_search::answer answer = search.from(walk.state());
  work_ += work_of_state() * search.states();
  if (answer == end_search::answer::unknown) ++searches_in_vain_;
  return answer == end_search::answer::never_ends;
}

bool weak_dead_states::proves(const simt::weak_walker& walk) {
  const std::uint32_t before = searches_in_vain_;
  const bool proved = never_ends(walk, states_of(short_look, short_work));
  searches_in_vain_ = before;
  return proved;
}

bool weak_dead_states::decides(const simt::weak_walker& walk) {
  if (searches_in_vain_ >= most_weak_in_vain) return proves(walk);
  return never_ends(walk, states_of(long_look, long_work));
}

std::optional<verdict> weak_dead_states::kind(const simt::weak_walker& walk) {
  if (!its_) return verdict::deadlock;
  end_search search(*its_, bounds_);
  search.limit_states(2 * states_of(long_look, long_work));
  const end_search::answer answer = search.from(its_->adopt(walk.state()));
  work_ += work_of_state() * search.states();
  switch (answer) {
    case end_search::answer::ends: return verdict::simt_deadlock;
    case end_search::answer::never_ends: return verdict::deadlock;
    case end_search::answer::unknown: break;
  }
  return std::nullopt;
}

}  // namespace warpcheck
