// Flags are raised by relaxed stores.
#pragma once

#include "gpu_flags.hpp"

struct gpu_flag_relaxed_rules : signal_rules {
  static constexpr simt::memory_order raising = simt::memory_order_relaxed;
};

struct gpu_flag_relaxed : gpu_flags<gpu_flag_relaxed_rules> {};
SIMT_SUBJECT(gpu_flag_relaxed);
