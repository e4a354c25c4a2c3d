// Starts launches one after another, and takes the step of the host between two of them.
//
// Models: a launch ends when all its lanes have exited. Then the host does its step, alone, and
// sees all that was stored. Then all lanes of the next launch start. Does not model: launches that
// run at the same time, streams, copies of parts of memory.
#include <algorithm>

#include "sim/machine/machine.hpp"

namespace simt {

std::vector<continuation> machine::program_starts() {
  const std::lock_guard lock(stores_.lanes_lock);
  std::vector<continuation> starts{stores_.program.start()};
  for (std::uint32_t launch = 1; launch < stores_.program.lanes().launches(); ++launch) {
    starts.push_back(stores_.program.start(launch));
  }
  return starts;
}

void machine::fill_launch(std::span<std::uint32_t> words, std::uint32_t launch,
                          grid_status status) {
  std::unique_lock lock(stores_.lanes_lock);
  const continuation first = stores_.program.start(launch);
  lock.unlock();
  for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
    words[lane] = lanes_.is_client(lane) ? lanes_.settle(lane, first) : exited;
  }
  status.launch = launch;
  status.barriers.clear();
  status.halves.clear();
  status.started.assign(setup_.grid.blocks, all_resident_ ? 1 : 0);
  if (remembers_steps_) status.stepped.assign(setup_.grid.blocks, 0);
  words[status_word()] = stores_.statuses.intern(status);
}

bool machine::have_all_exited(state_view state) const {
  return std::ranges::all_of(state.first(places_.lanes.size()),
                             [](std::uint32_t c) { return c == exited; });
}

bool machine::is_complete(state_view state) const {
  return have_all_exited(state) && (!has_launches() || status(state).is_over);
}

// A lane that has exited without a store that it promised belongs to no execution.
bool machine::awaits_launch(state_view state) const {
  return has_launches() && have_all_exited(state) && !status(state).is_over &&
         !has_promises(state) && !awaits_dispatch(state);
}

void machine::launch_step(state_view state, successor_list& out) {
  if (is_cut()) return;
  grid_status status = this->status(state);
  const std::uint32_t launch = status.launch + 1;
  const host_steps::step host = host_.before(launch, state[memory_word()]);
  const auto words = out.add({choice::kind::launch, launch, 0}, state);
  words[memory_word()] = host.memory;
  if (!host.launches) {
    status.is_over = true;
    words[status_word()] = stores_.statuses.intern(status);
    return;
  }
  fill_launch(words, launch, std::move(status));
  set_out(words);
  forget_exited(words);
}

}  // namespace simt
