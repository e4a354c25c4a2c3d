// Bitonic sort of keys in memory that the threads of a block share: the alternative sort of
// GPU-Quicksort (Cederman's thesis, 2.5.2).
#pragma once

#include <simt/simt.hpp>

/// `size`: a power of 2.
SIMT_FN void bitonic_sort_keys(int* keys, int size) {
  const int threads = static_cast<int>(simt::block_size());
  const int me = static_cast<int>(simt::thread_rank() % simt::block_size());
  for (int run = 2; run <= size; run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      for (int i = me; i < size; i += threads) {
        const int other = i ^ distance;
        const bool rises = (i & run) == 0;
        if (other > i && (keys[i] > keys[other]) == rises) simt::swap(keys[i], keys[other]);
      }
      simt::syncthreads();
    }
  }
}
