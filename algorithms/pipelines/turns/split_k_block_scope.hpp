// The semaphore is of the scope of one block.
#pragma once

#include "split_ks.hpp"

struct split_k_block_scope_rules : turn_rules {
  static constexpr simt::thread_scope scope = simt::thread_scope_block;
};

struct split_k_block_scope : split_ks<split_k_block_scope_rules> {};
SIMT_SUBJECT(split_k_block_scope);
