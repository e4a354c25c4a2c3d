// The flags have the scope of one block.
#pragma once

#include "stream_ks.hpp"

struct stream_k_block_scope_rules : fix_up_rules {
  static constexpr simt::thread_scope scope = simt::thread_scope_block;
};

struct stream_k_block_scope : stream_ks<stream_k_block_scope_rules> {};
SIMT_SUBJECT(stream_k_block_scope);
