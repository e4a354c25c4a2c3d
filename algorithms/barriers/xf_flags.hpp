// The barrier without atomics of Xiao and Feng, Inter-block GPU communication via fast barrier
// synchronization (IPDPS 2010), "GPU lock-free synchronization": each block sets its flag; one
// block waits for all flags, a thread for each, meets in a `syncthreads`, and sets the flags that
// let the blocks go. The flags hold the phase's number (theirs is `goalVal`, a parameter), so that
// they need no reset. With fewer threads in a block than there are blocks, a thread looks at
// several flags, as Stuart and Owens (2011, section 5) say; their master is block 0, Xiao and
// Feng's block 1.
#pragma once

#include "block_barrier.hpp"

template <class Fences = no_fences>
struct xf_flags : block_barrier {
  volatile int arrived[most_blocks]{};
  volatile int released[most_blocks]{};

  SIMT_FN void arrive_and_wait() { meet(next_phase()); }

  SIMT_FN void meet(int goal) {
    const unsigned block = simt::block_index();
    if (is_master()) {
      Fences::fence();
      arrived[block] = goal;
    }
    if (block == 0) {
      for (unsigned i = thread_in_block(); i < simt::block_count(); i += simt::block_size()) {
        while (arrived[i] != goal) {
        }
      }
      Fences::fence();
      simt::syncthreads();
      Fences::fence();
      for (unsigned i = thread_in_block(); i < simt::block_count(); i += simt::block_size()) {
        released[i] = goal;
      }
    }
    if (is_master()) {
      while (released[block] != goal) {
      }
      Fences::fence();
    }
    simt::syncthreads();
  }
};
