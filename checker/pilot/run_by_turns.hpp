// Carries out one run, which is fixed before anything is explored.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/machine.hpp"

namespace warpcheck {

struct one_run {
  enum class end : std::uint8_t {
    complete,  // all lanes exit
    failed,    // something goes wrong, or no lane can go on
    nowhere,   // it was given up after `most` steps
  };
  end ends{};
  std::vector<std::uint8_t> memory;  // if complete: the image that the run leaves
};

enum class turns : std::uint8_t {
  as_far_as_it_can,  // each lane in its turn
  step_by_step,      // one step of each lane in its turn
};

one_run run_by_turns(simt::machine& machine, turns how, std::uint64_t most);

}  // namespace warpcheck
