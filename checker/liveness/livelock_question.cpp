// Picks the test of fairness that fits: weak or strong, with or without reductions, with or without
// weak memory.
#include "checker/liveness/livelock_question.hpp"

#include <algorithm>
#include <utility>

#include "checker/liveness/fairness.hpp"
#include "checker/liveness/memory_fairness.hpp"
#include "checker/liveness/quotient_fairness.hpp"
#include "checker/liveness/strong_fairness.hpp"
#include "checker/states/state_mark.hpp"

namespace warpcheck {

bool livelock_question::is_in(state_id s, std::uint32_t component) const {
  if (s == compressed_table::none) return false;
  const std::uint32_t mark = states_.load_mark(s);
  return (mark & state_mark::closed) != 0 && (mark & state_mark::component_bits) == component;
}

bool livelock_question::can_stay_in(std::span<const state_id> members) {
  if (is_of_parts()) return !parts_of(members).empty();
  if (machine_.owes() == simt::progress::unfair) return true;
  const std::uint32_t component = states_.load_mark(members.front()) & state_mark::component_bits;
  const auto inside = [&](state_id s) { return is_in(s, component); };
  if (machine_.is_reduced()) return quotient_is_fair(machine_, states_, members, inside);
  fairness fair(machine_);
  for (const state_id m : members) {
    states_.read(m, here_);
    machine_.successors(here_.words(), list_);
    fair.add(here_.words(), list_, [&](const simt::transition& t) {
      return inside(states_.find(list_.state(t, machine_.words()), here_));
    });
  }
  return fair.holds();
}

boost::unordered_flat_set<state_id> livelock_question::parts_of(std::span<const state_id> members) {
  const std::uint32_t component = states_.load_mark(members.front()) & state_mark::component_bits;
  const auto inside = [&](state_id s) { return is_in(s, component); };
  if (is_strong()) return strong_traps(machine_, states_, members, inside);
  return fair_part(members, inside);
}

// Called under weak memory. The cheap question comes first: is the whole component weakly fair?
// Only then are lanes followed one by one.
boost::unordered_flat_set<state_id> livelock_question::fair_part(
    std::span<const state_id> members, const std::function<bool(state_id)>& inside) {
  if (machine_.is_reduced() && !quotient_is_fair(machine_, states_, members, inside)) return {};
  auto part = part_with_fair_memory(machine_, states_, members, inside);
  moves_too_much_ = moves_too_much_ || !part;
  return part ? std::move(*part) : boost::unordered_flat_set<state_id>();
}

// Whether some unit is enabled in `state`, and all its steps lead elsewhere.
bool livelock_question::some_unit_only_leaves(simt::state_view state,
                                              const simt::successor_list& list) {
  if (list.is_choice) return false;
  std::vector<char>& leaves = unit_flags_;
  leaves.assign(machine_.units(), 0);
  constexpr char elsewhere = 1;
  constexpr char here = 2;
  for (const simt::transition& t : list.transitions) {
    if (t.by.what != simt::choice::kind::lane || t.ends != simt::ending::none) return false;
    const auto next = list.state(t, machine_.words());
    const bool stays = t.stays || std::ranges::equal(next, state);
    if (stays && t.ahead) return false;  // other units have moved, too
    char& flags = leaves[machine_.unit_of_lane(t.by.unit)];
    flags = static_cast<char>(flags | (stays ? here : elsewhere));
  }
  return std::ranges::find(leaves, elsewhere) != leaves.end();
}

bool livelock_question::can_stay_at(state_id s, simt::state_view state,
                                    const simt::successor_list& list) {
  const auto alone = [&](state_id next) { return next == s; };
  if (machine_.traits_of_memory().has_stale_steps && !is_strong()) {
    return !fair_part({&s, 1}, alone).empty();
  }
  if (machine_.owes() == simt::progress::unfair) return true;
  if (is_strong()) return !strong_traps(machine_, states_, {&s, 1}, alone).empty();
  if (machine_.is_reduced()) {
    // Most often, some lane is enabled and its unit does nothing but leave. That is seen at once.
    if (machine_.owes() == simt::progress::fair && some_unit_only_leaves(state, list)) return false;
    return quotient_is_fair(machine_, states_, {&s, 1}, alone);
  }
  fairness fair(machine_);
  fair.add(state, list, [&](const simt::transition& t) {
    return std::ranges::equal(list.state(t, machine_.words()), state);
  });
  return fair.holds();
}

}  // namespace warpcheck
