// Device memory and the history before the first launch, as init() leaves them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/lane/operation.hpp"

namespace simt {

class lane_steps;
struct machine_setup;
struct machine_stores;

struct first_memory {
  std::vector<std::uint8_t> image;
  std::vector<operation> events;  // of operations that init() carries out
};

/// Runs init(), as one lane before the grid. The caller holds stores.lanes_lock. Throws lane_error
/// if init() does what it must not do, or does not end.
first_memory run_init(const machine_setup& setup, machine_stores& stores, const lane_steps& lanes);

}  // namespace simt
