// Works out which group of stores a step reads or makes, from the stores that memory holds.
#include "checker/explore/coherence_step.hpp"

#include <algorithm>

#include "sim/lane/lane_runner.hpp"
#include "sim/machine/promises/promised_store.hpp"

namespace warpcheck {
namespace {

using simt::detail::memory_kind;
using stored_values = std::vector<simt::stored_value>;

bool joins_the_one_before(const stored_values& all, std::size_t m) {
  return m > 0 && all[m].chained && all[m].value == all[m - 1].value;
}

/// Returns the number of the group of message `m`. Groups are counted from the newest.
std::size_t group_of(const stored_values& all, std::size_t m) {
  std::size_t group = 0;
  for (std::size_t i = all.size(); --i > m;) {
    if (!joins_the_one_before(all, i)) ++group;
  }
  return group;
}

std::optional<coherence_step> promise_of(simt::machine& machine, simt::state_view state,
                                         const simt::choice& by) {
  const auto store = machine.promises(state, by.unit).at(by.mask);
  const stored_values all = machine.stored_at(state, store.offset, store.size);
  const simt::stored_value& before = all[store.place - 1];
  coherence_step step{store.offset, store.size, group_of(all, store.place - 1), before.value};
  step.makes = !store.chained || store.value != before.value;
  step.value = store.value;
  step.result = step.behind;
  return step;
}

}  // namespace

std::optional<coherence_step> coherence_step_of(simt::machine& machine, simt::state_view state,
                                                const simt::choice& by) {
  if (by.what == simt::choice::kind::promise) return promise_of(machine, state, by);
  if (by.what != simt::choice::kind::lane) return std::nullopt;
  const simt::operation_traits traits = machine.lanes().traits(state[by.unit]);
  if (traits.what != simt::operation_traits::kind::access) return std::nullopt;
  if (machine.is_bad_access(state, by.unit)) return std::nullopt;
  const auto reading = machine.reading_of(state, by);
  if (reading.is_fence) return std::nullopt;
  const simt::operation& op = machine.waits_at(state, by.unit);
  const stored_values all = machine.stored_at(state, traits.offset, traits.size);
  const std::size_t m = all.size() - 1 - std::min<std::size_t>(reading.newer, all.size() - 1);
  coherence_step step{traits.offset, traits.size, group_of(all, m), all[m].value};
  step.result = step.behind;
  step.value = simt::apply(op, step.old);
  if ((by.mask & simt::choice::keeps) != 0 && m + 1 < all.size()) {
    step.result = group_of(all, m + 1);
    return step;
  }
  step.makes = op.memory == memory_kind::store || step.value != step.old;
  return step;
}

std::vector<std::uint64_t> group_values(const simt::machine& machine, simt::state_view state,
                                        std::uint32_t offset, std::uint8_t size) {
  const stored_values all = machine.stored_at(state, offset, size);
  std::vector<std::uint64_t> values;
  for (std::size_t m = all.size(); m-- > 0;) {
    if (!joins_the_one_before(all, m)) values.push_back(all[m].value);
  }
  return values;
}

}  // namespace warpcheck
