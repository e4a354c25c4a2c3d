// Asks the host what it does between two launches.
#include "sim/machine/launch/host_steps.hpp"

#include <fmt/format.h>

namespace simt {
namespace {

// Limit for a host that launches again and again: each launch has its own number, so its states
// never repeat.
constexpr std::uint32_t most_launches = 10'000;

}  // namespace

host_steps::step host_steps::before(std::uint32_t launch, std::uint32_t memory) {
  const std::uint64_t key = std::uint64_t{launch} << 32 | memory;
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  if (launch > most_launches) {
    throw lane_error(
        fmt::format("next_launch() has launched {} times, and there is no end in sight; let it "
                    "return false when nothing is left to do",
                    most_launches),
        0);
  }
  device_memory::host_step said = setup_.memory->next_launch(memory_.image(memory), launch);
  memory_.begin_launch(said.image);
  const step made{stores_.images.intern(said.image), said.launches};
  known_.emplace(key, made);
  return made;
}

}  // namespace simt
