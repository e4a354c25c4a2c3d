// Two lanes copy a word each from global to block-shared memory by cp.async, and read each other's.
// `waits`: each waits for its own copy. `meets`: then they meet, before they read.
#pragma once

#include <simt/async.hpp>
#include <simt/simt.hpp>

template <bool waits, bool meets>
struct lane_copies {
  struct tile {
    int value[2];
  };
  int source[2] = {5, 6};

  SIMT_FN void operator()() {
    tile& shared = simt::block_shared<tile>();
    const unsigned me = simt::thread_rank();
    simt::cp_async<4>(&shared.value[me], &source[me]);
    simt::cp_async_commit_group();
    if constexpr (waits) simt::cp_async_wait_group<0>();
    if constexpr (meets) simt::syncthreads();
    simt::check(shared.value[1 - me] == 6 - static_cast<int>(me), "the neighbour's word is there");
  }
};
