// Flags are seen by relaxed loads.
#pragma once

#include "stream_ks.hpp"

struct stream_k_relaxed_wait_rules : fix_up_rules {
  static constexpr simt::memory_order seeing = simt::memory_order_relaxed;
};

struct stream_k_relaxed_wait : stream_ks<stream_k_relaxed_wait_rules> {};
SIMT_SUBJECT(stream_k_relaxed_wait);
