// The flags have the scope of one block.
#pragma once

#include "gpu_flags.hpp"

struct gpu_flag_block_scope_rules : signal_rules {
  static constexpr simt::thread_scope scope = simt::thread_scope_block;
};

struct gpu_flag_block_scope : gpu_flags<gpu_flag_block_scope_rules> {};
SIMT_SUBJECT(gpu_flag_block_scope);
