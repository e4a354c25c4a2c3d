// The flag of the second round is that of the first one.
#pragma once

#include "gpu_flags.hpp"

struct gpu_flag_same_signal_rules : signal_rules {
  static constexpr bool counts_rounds = false;
};

struct gpu_flag_same_signal : gpu_flags<gpu_flag_same_signal_rules> {};
SIMT_SUBJECT(gpu_flag_same_signal);
