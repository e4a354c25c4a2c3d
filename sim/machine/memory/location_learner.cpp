// Tells memory which lanes use which locations, and how.
#include "sim/machine/memory/location_learner.hpp"

#include <algorithm>

#include "sim/machine/machine.hpp"
#include "sim/machine/reduce/steps_ahead.hpp"

namespace simt {

bool location_learner::is_agent(std::uint32_t lane) const {
  return machine_.setup().grid.is_agent(machine_.places().lanes[lane].warp);
}

bool location_learner::learn_access(std::uint32_t lane, const operation& op,
                                    const operation_traits& t) {
  if (touches_no_value(op)) return !machine_.is_cut();
  if (learn_use(lane, op, t)) tell_of_location();
  return !machine_.is_cut();
}

// Lanes that may trade places have no lasting name, so an access by one of them counts as an access
// by several lanes.
bool location_learner::learn_use(std::uint32_t lane, const operation& op,
                                 const operation_traits& t) {
  if (keeps_place_.empty()) {
    keeps_place_.assign(machine_.places().lanes.size(), 1);
    if (machine_.is_symmetric()) {
      const std::span<const std::uint32_t> roles = machine_.symmetry_of_lanes()->roles();
      for (std::uint32_t l = 0; l < keeps_place_.size(); ++l) {
        keeps_place_[l] = std::ranges::count(roles, roles[l]) == 1 ? 1 : 0;
      }
    }
  }
  location_use one;
  // The copies that an agent carries out are viewers of their own.
  if (keeps_place_[lane] != 0 && !is_agent(lane)) one.lane = lane;
  one.stores = t.writes;
  one.suspicious = t.suspicious;
  one.ordinary = is_load(op) || is_store(op) || op.memory == detail::memory_kind::compare_exchange;
  // An execution that is followed may have been found where messages of a phase were merged.
  const shared_facts* const facts = machine_.setup().facts;
  const bool follows = facts != nullptr && facts->follows() && !facts->settled();
  const bool joins_phases = machine_.ahead() != nullptr || follows;
  one.arrives = joins_phases && op.memory == detail::memory_kind::mbarrier;
  const bool is_own = t.block == no_block ? machine_.setup().grid.blocks == 1
                                          : t.block == machine_.places().lanes[lane].block;
  one.loses_phases = !machine_.model().keeps_phases(op) || !is_own;
  const bool as_contested = machine_.ahead() == nullptr;
  if (!machine_.renames()) return machine_.model().learn_use(t.offset, one, as_contested);
  if (machine_.model().knows_use(t.offset, one)) return false;
  bool news = false;
  for (const auto& [who, where] : machine_.renaming_of_lanes()->images_of({one.lane, t.offset})) {
    one.lane = who;
    news = machine_.model().learn_use(where, one, as_contested) || news;
  }
  return news;
}

void location_learner::learn_contested(state_view state, std::uint32_t lane,
                                       const operation_traits& t) {
  if (machine_.ahead() == nullptr || !machine_.model().is_in_order(t.offset) ||
      !machine_.model().is_shared(t.offset))
    return;
  const operation& op = machine_.program().at(state[lane]);
  if (touches_no_value(op) || is_of_desk(op)) return;
  if (!is_agent(lane) && machine_.ahead()->is_left_alone(state, lane, 0)) return;
  bool news = false;
  if (machine_.renames()) {
    for (const auto& [who, where] :
         machine_.renaming_of_lanes()->images_of({location_use::several, t.offset})) {
      news = machine_.model().learn_contested(where) || news;
    }
  } else {
    news = machine_.model().learn_contested(t.offset);
  }
  if (news) tell_of_location();
}

// With wrong facts, lanes see memory that they never have. That leads to continuations that no lane
// ever reaches, and footprints count these. So the first shared locations are learnt one by one.
// With many locations, that would take too long.
void location_learner::tell_of_location() {
  constexpr std::size_t few = 16;
  machine_.model().count_shared() < few ? machine_.news().record() : machine_.news().note();
}

void location_learner::rename_facts() {
  if (!machine_.traits_of_memory().learns_facts || !machine_.renames()) return;
  machine_.setup().facts->close([this](std::uint32_t lane, std::uint32_t location) {
    return machine_.renaming_of_lanes()->images_of({lane, location});
  });
}

}  // namespace simt
