// Works out which group of stores a step reads or makes, from the stores that memory holds.
#include "sim/machine/walk/coherence_step.hpp"

#include <algorithm>

#include "sim/lane/lane_runner.hpp"
#include "sim/machine/promises/promised_store.hpp"

namespace simt {
namespace {

using detail::memory_kind;
using stored_values = std::vector<stored_value>;

bool joins_the_one_before(std::span<const stored_value> all, std::size_t m) {
  return m > 0 && all[m].chained && all[m].value == all[m - 1].value;
}

std::optional<coherence_step> promise_of(machine& machine, state_view state, const choice& by) {
  const auto store = machine.promises(state, by.unit).at(by.mask);
  const stored_values all = machine.stored_at(state, store.offset, store.size);
  const stored_value& before = all[store.place - 1];
  coherence_step step{store.offset, store.size, group_of(all, store.place - 1), before.value};
  step.makes = !store.chained || store.value != before.value;
  step.value = store.value;
  step.result = step.behind;
  return step;
}

}  // namespace

std::size_t group_of(std::span<const stored_value> all, std::size_t m) {
  std::size_t group = 0;
  for (std::size_t i = all.size(); --i > m;) {
    if (!joins_the_one_before(all, i)) ++group;
  }
  return group;
}

std::optional<coherence_step> coherence_step_of(machine& machine, state_view state,
                                                const choice& by) {
  if (by.what == choice::kind::promise) return promise_of(machine, state, by);
  if (by.what != choice::kind::lane) return std::nullopt;
  const operation_traits traits = machine.lanes().traits(state[by.unit]);
  if (traits.what != operation_traits::kind::access) return std::nullopt;
  if (machine.is_bad_access(state, by.unit)) return std::nullopt;
  const auto reading = machine.reading_of(state, by);
  if (reading.is_fence) return std::nullopt;
  const operation& op = machine.waits_at(state, by.unit);
  const stored_values all = machine.stored_at(state, traits.offset, traits.size);
  const std::size_t m = all.size() - 1 - std::min<std::size_t>(reading.newer, all.size() - 1);
  coherence_step step{traits.offset, traits.size, group_of(all, m), all[m].value};
  step.result = step.behind;
  step.value = apply(op, step.old);
  if ((by.mask & choice::keeps) != 0 && m + 1 < all.size()) {
    step.result = group_of(all, m + 1);
    return step;
  }
  step.makes = is_store(op) || step.value != step.old;
  return step;
}

std::vector<std::uint64_t> group_values(const machine& machine, state_view state,
                                        std::uint32_t offset, std::uint8_t size) {
  const stored_values all = machine.stored_at(state, offset, size);
  std::vector<std::uint64_t> values;
  for (std::size_t m = all.size(); m-- > 0;) {
    if (!joins_the_one_before(all, m)) values.push_back(all[m].value);
  }
  return values;
}

}  // namespace simt
