// Flags are raised by relaxed stores.
#pragma once

#include "stream_ks.hpp"

struct stream_k_relaxed_flag_rules : fix_up_rules {
  static constexpr simt::memory_order raising = simt::memory_order_relaxed;
};

struct stream_k_relaxed_flag : stream_ks<stream_k_relaxed_flag_rules> {};
SIMT_SUBJECT(stream_k_relaxed_flag);
