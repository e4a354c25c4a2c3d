// Flags are seen by relaxed loads.
#pragma once

#include "gpu_flags.hpp"

struct gpu_flag_relaxed_wait_rules : signal_rules {
  static constexpr simt::memory_order seeing = simt::memory_order_relaxed;
};

struct gpu_flag_relaxed_wait : gpu_flags<gpu_flag_relaxed_wait_rules> {};
SIMT_SUBJECT(gpu_flag_relaxed_wait);
