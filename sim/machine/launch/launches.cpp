// Starts launches one after another, and takes the step of the host between two of them.
//
// Models: a launch ends when all its lanes have exited. Then the host does its step, alone, and
// sees all that was stored. Then all lanes of the next launch start. Does not model: launches that
// run at the same time, streams, copies of parts of memory.
#include <algorithm>

#include <fmt/format.h>

#include "sim/machine/machine.hpp"

namespace simt {
namespace {

// Limit for a host that launches again and again: each launch has its own number, so its states
// never repeat.
constexpr std::uint32_t most_launches = 10'000;

}  // namespace

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
    words[lane] = is_client(lane) ? settle(lane, first) : exited;
  }
  status.launch = launch;
  status.barriers.clear();
  status.halves.clear();
  status.started.assign(setup_.grid.blocks, all_resident_ ? 1 : 0);
  if (remembers_steps_) status.stepped.assign(setup_.grid.blocks, 0);
  words[status_word()] = intern_status(status);
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
  const host_step host = ask_host(state[memory_word()], launch);
  const auto words = out.add({choice::kind::launch, launch, 0}, state);
  words[memory_word()] = host.memory;
  if (!host.launches) {
    status.is_over = true;
    words[status_word()] = intern_status(status);
    return;
  }
  fill_launch(words, launch, std::move(status));
  set_out(words);
  forget_exited(words);
}

machine::host_step machine::ask_host(std::uint32_t memory, std::uint32_t launch) {
  const std::uint64_t key = std::uint64_t{launch} << 32 | memory;
  if (const auto known = host_steps_.find(key); known != host_steps_.end()) return known->second;
  if (launch > most_launches) {
    throw lane_error(
        fmt::format("next_launch() has launched {} times, and there is no end in sight; let it "
                    "return false when nothing is left to do",
                    most_launches),
        0);
  }
  device_memory::host_step said = setup_.memory->next_launch(memory_->image(memory), launch);
  memory_->begin_launch(said.image);
  const host_step step{stores_.images.intern(said.image), said.launches};
  host_steps_.emplace(key, step);
  return step;
}

}  // namespace simt
