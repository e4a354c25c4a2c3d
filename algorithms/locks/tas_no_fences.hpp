// The lock of Sanders and Kandrot, CUDA by Example (2010, appendix, "Atomic locks"), as published.
// Nothing orders the critical section with the lock: Alglave et al. (GPU concurrency: weak
// behaviours and programming assumptions, ASPLOS 2015, section 3.2.2) saw GPUs read stale values
// under it. With the two fences of NVIDIA's erratum it is `tas`.
#pragma once

#include <simt/simt.hpp>

struct tas_no_fences {
  int mutex = 0;

  SIMT_FN void lock() {
    while (simt::atomicCAS(&mutex, 0, 1) != 0) {
    }
  }

  SIMT_FN void unlock() { simt::atomicExch(&mutex, 0); }
};
SIMT_SUBJECT(tas_no_fences);
