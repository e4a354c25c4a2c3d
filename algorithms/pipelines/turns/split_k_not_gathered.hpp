// Thread 0 hands on the turn without waiting for its block.
#pragma once

#include "split_ks.hpp"

struct split_k_not_gathered_rules : turn_rules {
  static constexpr bool gathers = false;
};

struct split_k_not_gathered : split_ks<split_k_not_gathered_rules> {};
SIMT_SUBJECT(split_k_not_gathered);
