// All rounds use the same values.
#pragma once

#include "gpu_flags.hpp"

struct gpu_flag_one_set_rules : signal_rules {
  static constexpr unsigned sets = 1;
};

struct gpu_flag_one_set : gpu_flags<gpu_flag_one_set_rules> {};
SIMT_SUBJECT(gpu_flag_one_set);
