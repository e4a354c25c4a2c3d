// GPU-Quicksort (Cederman and Tsigas, ESA 2008; Cederman's thesis, chapter 2): blocks divide a
// sequence together (phase one, algorithm 2), and then sort its two parts, each alone (phase two,
// algorithm 3). The host launches both (algorithm 1); launch 0 draws the keys.
//
// Models: what algorithm 2 means, with barriers and fences, which it does not have; each can be
// left out. Its last block is the one that finds 1 in `blockcount`, not 0. Medians are of the
// first, the middle and the last key of a sequence. Does not model: more than one round of phase
// one.
#pragma once

#include "local_quicksort_of.hpp"

/// How the threads of a block learn where their keys go: one of them adds up all counts; each adds
/// its own to a sum; or they build prefix sums together.
enum class sums { by_one_thread, fetch_and_add, scan };

/// What of phase one is left out, or done otherwise.
enum class global_fault {
  none,
  no_barrier_behind_counts,
  no_barrier_behind_sums,
  no_barrier_before_last,  // a block counts as done while its threads still move keys
  no_fence_before_last,
  last_finds_zero,  // as printed: nobody is the last
  medians_printed,  // as printed: the keys behind the ends
};

template <sums how = sums::by_one_thread, global_fault fault = global_fault::none>
struct gpu_quicksort_of {
  static constexpr int most_threads = 4;  // of a block
  static constexpr int blocks = 2;        // that divide, and that sort a part each

  struct block_memory {
    int low[most_threads + 1], high[most_threads + 1];
    int to_low, to_high;
    int more_low[most_threads], more_high[most_threads];  // of prefix sums
  };
  using sorter = local_sorter<>;

  drawn_keys keys;
  int pivot = 0;
  int end_of_low = 0, begin_of_high = 0;  // fetch-and-adds move them
  int blocks_left = blocks;
  int lows_pivot = 0, highs_pivot = 0;  // of the parts, for another round
  bool has_parts = false;

  SIMT_FN void operator()(std::uint32_t launch) {
    switch (launch) {
      case 0: return keys.draw();
      case 1: return divide(simt::block_shared<block_memory>());
      default: return sort(simt::block_shared<typename sorter::block_memory>());
    }
  }

  bool next_launch(std::uint32_t launch) {
    const int size = static_cast<int>(keys.d.size());
    if (launch == 1) {
      pivot = median(keys.d[0], keys.d[size / 2], keys.d[size - 1]);
      begin_of_high = size;
      return true;
    }
    return launch == 2 && has_parts;
  }

  const char* check() const { return keys.check(); }

 private:
  SIMT_FN static int me() { return static_cast<int>(simt::thread_rank() % simt::block_size()); }
  SIMT_FN static int threads() { return static_cast<int>(simt::block_size()); }

  template <global_fault left_out>
  SIMT_FN static void pass() {
    if constexpr (fault != left_out) simt::syncthreads();
  }

  SIMT_FN void divide(block_memory& block) {
    const int size = keys.size(), block_size = (size + blocks - 1) / blocks;
    const int begin = static_cast<int>(simt::block_index()) * block_size;
    const int end = simt::min(begin + block_size, size);
    const int pivot_now = pivot;
    int low = 0, high = 0;
    for (int i = begin + me(); i < end; i += threads()) {
      low += keys.d[i] < pivot_now ? 1 : 0;
      high += keys.d[i] > pivot_now ? 1 : 0;
    }
    add_up(block, low, high);
    if (me() == 0) {
      const int lows = block.low[threads()], highs = block.high[threads()];
      block.to_low = simt::atomicAdd(&end_of_low, lows);
      block.to_high = simt::atomicAdd(&begin_of_high, -highs) - highs;
    }
    pass<global_fault::no_barrier_behind_sums>();
    int to_low = block.to_low + block.low[me()], to_high = block.to_high + block.high[me()];
    for (int i = begin + me(); i < end; i += threads()) {
      const int key = keys.d[i];
      if (key < pivot_now) keys.hat[to_low++] = key;
      if (key > pivot_now) keys.hat[to_high++] = key;
    }
    pass<global_fault::no_barrier_before_last>();
    if (me() == 0) end_block(pivot_now);
  }

  /// block.low[t] and block.high[t] become the counts of the threads before t; behind the last one
  /// come those of all.
  SIMT_FN void add_up(block_memory& block, int low, int high) {
    if constexpr (how == sums::fetch_and_add) {
      // Block-shared memory starts as zeros in the simulator alone.
      if (me() == 0) block.low[threads()] = block.high[threads()] = 0;
      simt::syncthreads();
      block.low[me()] = simt::atomicAdd_block(&block.low[threads()], low);
      block.high[me()] = simt::atomicAdd_block(&block.high[threads()], high);
      pass<global_fault::no_barrier_behind_counts>();
    } else if constexpr (how == sums::scan) {
      scan(block, low, high);
    } else {
      block.low[me()] = low;
      block.high[me()] = high;
      pass<global_fault::no_barrier_behind_counts>();
      if (me() == 0) add_up_alone(block);
    }
  }
  SIMT_FN void add_up_alone(block_memory& block) {
    int lows = 0, highs = 0;
    for (int t = 0; t <= threads(); ++t) {
      const int low = t < threads() ? block.low[t] : 0, high = t < threads() ? block.high[t] : 0;
      block.low[t] = lows;
      block.high[t] = highs;
      lows += low;
      highs += high;
    }
  }
  /// Prefix sums of both at once (Hillis and Steele 1986; the thesis takes Blelloch's).
  SIMT_FN void scan(block_memory& block, int low, int high) {
    int lows = low, highs = high;
    for (int distance = 1; distance < threads(); distance *= 2) {
      block.more_low[me()] = lows;
      block.more_high[me()] = highs;
      pass<global_fault::no_barrier_behind_counts>();
      if (me() >= distance) {
        lows += block.more_low[me() - distance];
        highs += block.more_high[me() - distance];
      }
      simt::syncthreads();
    }
    block.low[me()] = lows - low;
    block.high[me()] = highs - high;
    if (me() == threads() - 1) {
      block.low[threads()] = lows;
      block.high[threads()] = highs;
    }
    simt::syncthreads();
  }

  /// The last block fills in the pivots between the parts, and chooses those of the parts.
  SIMT_FN void end_block(int pivot_now) {
    if (fault != global_fault::no_fence_before_last) simt::__threadfence();
    const int left = simt::atomicAdd(&blocks_left, -1);
    if (left != (fault == global_fault::last_finds_zero ? 0 : 1)) return;
    simt::__threadfence();
    for (int i = end_of_low; i < begin_of_high; ++i) keys.d[i] = pivot_now;
    lows_pivot = median_of(0, end_of_low);
    highs_pivot = median_of(begin_of_high, keys.size());
    has_parts = true;
  }
  SIMT_FN int median_of(int begin, int end) {
    if (fault == global_fault::medians_printed)
      return median(keys.hat[begin], keys.hat[(begin + end) / 2], keys.hat[end]);
    if (begin == end) return 0;
    return median(keys.hat[begin], keys.hat[(begin + end) / 2], keys.hat[end - 1]);
  }

  SIMT_FN void sort(typename sorter::block_memory& block) {
    const bool is_low_part = simt::block_index() == 0;
    const key_range part{is_low_part ? 0 : begin_of_high, is_low_part ? end_of_low : keys.size(),
                         true};
    sorter(keys, block).sort(part);
  }
};
