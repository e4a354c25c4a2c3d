// Blocks do not wait for their turn.
#pragma once

#include "split_ks.hpp"

struct split_k_unordered_rules : turn_rules {
  static constexpr bool waits = false;
};

struct split_k_unordered : split_ks<split_k_unordered_rules> {};
SIMT_SUBJECT(split_k_unordered);
