// GPU-Quicksort without atomic operations (Cederman's thesis, 2.3.2), for GPUs that have none: a
// launch counts, the host adds up, and another launch moves the keys.
#pragma once

#include "local_quicksort_of.hpp"

struct gpu_quicksort_two_kernels {
  static constexpr int most_threads = 8;  // of the grid
  using sorter = local_sorter<>;

  drawn_keys keys;
  int pivot = 0;
  int threads = 0;                            // that have counted
  int low[most_threads], high[most_threads];  // counts; later, where keys go
  int end_of_low = 0, begin_of_high = 0;

  SIMT_FN void operator()(std::uint32_t launch) {
    switch (launch) {
      case 0: return keys.draw();
      case 1: return count();
      case 2: return move();
      default: return sort(simt::block_shared<sorter::block_memory>());
    }
  }

  bool next_launch(std::uint32_t launch) {
    const int size = static_cast<int>(keys.d.size());
    if (launch == 1) pivot = median(keys.d[0], keys.d[size / 2], keys.d[size - 1]);
    if (launch == 2) add_up(size);
    return launch <= 3;
  }

  const char* check() const { return keys.check(); }

 private:
  SIMT_FN static int me() { return static_cast<int>(simt::thread_rank()); }
  SIMT_FN static int all() { return static_cast<int>(simt::grid_size()); }

  SIMT_FN void count() {
    if (me() == 0) threads = all();
    int lows = 0, highs = 0;
    for (int i = me(); i < keys.size(); i += all()) {
      lows += keys.d[i] < pivot ? 1 : 0;
      highs += keys.d[i] > pivot ? 1 : 0;
    }
    low[me()] = lows;
    high[me()] = highs;
  }

  void add_up(int size) {
    for (int t = 0; t < threads; ++t) {
      const int lows = low[t], highs = high[t];
      low[t] = end_of_low;
      end_of_low += lows;
      high[t] = begin_of_high;
      begin_of_high += highs;
    }
    begin_of_high = size - begin_of_high;
    for (int t = 0; t < threads; ++t) high[t] += begin_of_high;
  }

  SIMT_FN void move() {
    int to_low = low[me()], to_high = high[me()];
    for (int i = me(); i < keys.size(); i += all()) {
      const int key = keys.d[i];
      if (key < pivot) keys.hat[to_low++] = key;
      if (key > pivot) keys.hat[to_high++] = key;
    }
  }

  /// Each block sorts one part; the first one also fills in the pivots between them.
  SIMT_FN void sort(sorter::block_memory& block) {
    const bool is_low_part = simt::block_index() == 0;
    const int step = static_cast<int>(simt::block_size());
    for (int i = end_of_low + me(); is_low_part && i < begin_of_high; i += step) keys.d[i] = pivot;
    const key_range part{is_low_part ? 0 : begin_of_high, is_low_part ? end_of_low : keys.size(),
                         true};
    sorter(keys, block).sort(part);
  }
};
SIMT_SUBJECT(gpu_quicksort_two_kernels);
