// The turn is handed on by a relaxed store.
#pragma once

#include "split_ks.hpp"

struct split_k_relaxed_leave_rules : turn_rules {
  static constexpr simt::memory_order leaving = simt::memory_order_relaxed;
};

struct split_k_relaxed_leave : split_ks<split_k_relaxed_leave_rules> {};
SIMT_SUBJECT(split_k_relaxed_leave);
