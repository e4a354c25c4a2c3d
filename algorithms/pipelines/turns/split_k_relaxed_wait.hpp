// Blocks wait for their turn with relaxed loads.
#pragma once

#include "split_ks.hpp"

struct split_k_relaxed_wait_rules : turn_rules {
  static constexpr simt::memory_order waiting = simt::memory_order_relaxed;
};

struct split_k_relaxed_wait : split_ks<split_k_relaxed_wait_rules> {};
SIMT_SUBJECT(split_k_relaxed_wait);
