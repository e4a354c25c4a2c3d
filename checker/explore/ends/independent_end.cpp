// Asks an end_search on a machine of independent scheduling, within fixed limits of time and
// states.
#include "checker/explore/ends/independent_end.hpp"

namespace warpcheck {
namespace {

constexpr double most_seconds = 2;
constexpr std::uint64_t most_states = 50'000;

}  // namespace

simt::machine_setup under_its(const session& run) {
  simt::machine_setup setup = run.setup();
  setup.model.reconvergence = simt::reconvergence::its;
  return setup;
}

independent_end::independent_end(session& run)
    : machine_(under_its(run), run.stores(), {}), search_(machine_, bounds_) {
  bounds_.time = most_seconds;
  search_.limit_states(most_states);
}

end_search::answer independent_end::of(simt::state_view state) {
  if (!search_.stopped().empty()) return end_search::answer::unknown;
  const end_search::answer found = search_.from(machine_.adopt(state));
  return machine_.lacks_facts() ? end_search::answer::unknown : found;
}

}  // namespace warpcheck
