// The semaphore still stands where the launch before has left it.
#pragma once

#include "split_ks.hpp"

struct split_k_not_reset_rules : turn_rules {
  static constexpr unsigned first = 2;
};

struct split_k_not_reset : split_ks<split_k_not_reset_rules> {};
SIMT_SUBJECT(split_k_not_reset);
