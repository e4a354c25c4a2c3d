// Phase one of GPU-Quicksort (Cederman's thesis, algorithm 2): blocks divide a sequence together,
// each a part of it, and the last of them that ends makes the two sequences that come of it.
//
// Models: what algorithm 2 means, with barriers and fences, which it does not have; each can be
// left out. Its last block is the one that finds 1 in `blockcount`, not 0. Medians are of the
// first, the middle and the last key of a sequence.
#pragma once

#include <type_traits>

#include "block_counts.hpp"
#include "key_range.hpp"

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

/// The pivots of what is divided again: as the listing has them, or the average of the least and
/// the greatest key, as in 2.5.2. Then no key is negative.
enum class pivots { medians, averages };

/// Who fills in the pivots between the two sequences: a thread of the last block, as in the
/// listing, or all its threads.
enum class fills { by_one_thread, by_block };

/// A sequence, and what its blocks share.
template <pivots chosen>
struct divided_sequence {
  key_range all{};
  int pivot = 0;
  int end_of_low = 0, begin_of_high = 0;  // fetch-and-adds move them
  int blocks_left = 0;
  int lows_pivot = 0, highs_pivot = 0;  // of the parts, for another round
  bool has_parts = false;

  SIMT_HOST_FN void begin(key_range sequence, int with_pivot, int blocks) {
    all = sequence;
    pivot = with_pivot;
    end_of_low = all.begin;
    begin_of_high = all.end;
    blocks_left = blocks;
  }
  SIMT_HOST_FN key_range lows() const { return {all.begin, end_of_low, !all.in_hat}; }
  SIMT_HOST_FN key_range highs() const { return {begin_of_high, all.end, !all.in_hat}; }
};

/// The least and the greatest keys of both parts.
struct key_bounds {
  static constexpr int least = 0, greatest = 0x7fffffff;

  int least_low = greatest, greatest_low = least;
  int least_high = greatest, greatest_high = least;

  SIMT_HOST_FN constexpr key_bounds() {}  // (nvcc minds a default with SIMT_HOST_FN)
  SIMT_FN void see_low(int key) {
    least_low = simt::min(least_low, key);
    greatest_low = simt::max(greatest_low, key);
  }
  SIMT_FN void see_high(int key) {
    least_high = simt::min(least_high, key);
    greatest_high = simt::max(greatest_high, key);
  }
};
struct no_bounds {
  SIMT_FN void see_low(int) {}
  SIMT_FN void see_high(int) {}
};
template <>
struct divided_sequence<pivots::averages> : divided_sequence<pivots::medians> {
  key_bounds bounds{};
};

template <class Keys, sums how, global_fault fault = global_fault::none,
          pivots chosen = pivots::medians, fills filled = fills::by_one_thread>
class global_divider {
 public:
  static constexpr int most_threads = simt::sized(4, 1024);
  using sequence = divided_sequence<chosen>;

  struct block_memory {
    block_counts<most_threads, how, fault != global_fault::no_barrier_behind_counts> counts;
    int to_low, to_high;
    bool is_last;
    int bounds[4];  // of this block's keys
  };

  SIMT_FN global_divider(Keys& keys, sequence& shared, block_memory& block)
      : keys_(keys),
        shared_(shared),
        block_(block),
        me_(static_cast<int>(simt::thread_rank() % simt::block_size())),
        threads_(static_cast<int>(simt::block_size())) {}

  /// By all threads of a block; `begin` and `end`: its part.
  SIMT_FN void divide(int begin, int end) {
    const bool in_hat = shared_.all.in_hat;
    const int pivot = shared_.pivot;
    int low = 0, high = 0;
    for (int i = begin + me_; i < end; i += threads_) {
      low += key_at(keys_, in_hat, i) < pivot ? 1 : 0;
      high += key_at(keys_, in_hat, i) > pivot ? 1 : 0;
    }
    block_.counts.add_up(low, high);
    if (me_ == 0) {
      const int lows = block_.counts.low[threads_], highs = block_.counts.high[threads_];
      block_.to_low = simt::atomicAdd(&shared_.end_of_low, lows);
      block_.to_high = simt::atomicAdd(&shared_.begin_of_high, -highs) - highs;
    }
    pass<global_fault::no_barrier_behind_sums>();
    move(begin, end, pivot);
    pass<global_fault::no_barrier_before_last>();
    if (me_ == 0) end_block();
    if constexpr (filled == fills::by_block) {
      simt::syncthreads();
      if (block_.is_last) fill(me_, threads_);
    }
  }

 private:
  Keys& keys_;
  sequence& shared_;
  block_memory& block_;
  int me_, threads_;

  template <global_fault left_out>
  SIMT_FN static void pass() {
    if constexpr (fault != left_out) simt::syncthreads();
  }

  SIMT_FN void move(int begin, int end, int pivot) {
    const bool in_hat = shared_.all.in_hat;
    int to_low = block_.to_low + block_.counts.low[me_];
    int to_high = block_.to_high + block_.counts.high[me_];
    std::conditional_t<chosen == pivots::averages, key_bounds, no_bounds> seen;
    for (int i = begin + me_; i < end; i += threads_) {
      const int key = key_at(keys_, in_hat, i);
      if (key < pivot) {
        key_at(keys_, !in_hat, to_low++) = key;
        seen.see_low(key);
      }
      if (key > pivot) {
        key_at(keys_, !in_hat, to_high++) = key;
        seen.see_high(key);
      }
    }
    if constexpr (chosen == pivots::averages) tell(seen);
  }

  /// Bounds of one thread's keys become those of the block's, and these those of the sequence's.
  SIMT_FN void tell(const key_bounds& seen) {
    if (me_ == 0) {
      block_.bounds[0] = block_.bounds[2] = key_bounds::greatest;
      block_.bounds[1] = block_.bounds[3] = key_bounds::least;
    }
    simt::syncthreads();
    simt::atomicMin_block(&block_.bounds[0], seen.least_low);
    simt::atomicMax_block(&block_.bounds[1], seen.greatest_low);
    simt::atomicMin_block(&block_.bounds[2], seen.least_high);
    simt::atomicMax_block(&block_.bounds[3], seen.greatest_high);
    simt::syncthreads();
    if (me_ != 0) return;
    simt::atomicMin(&shared_.bounds.least_low, block_.bounds[0]);
    simt::atomicMax(&shared_.bounds.greatest_low, block_.bounds[1]);
    simt::atomicMin(&shared_.bounds.least_high, block_.bounds[2]);
    simt::atomicMax(&shared_.bounds.greatest_high, block_.bounds[3]);
  }

  /// The last block fills in the pivots between the parts, and chooses those of the parts.
  SIMT_FN void end_block() {
    if constexpr (filled == fills::by_block) block_.is_last = false;
    if (fault != global_fault::no_fence_before_last) simt::__threadfence();
    const int left = simt::atomicAdd(&shared_.blocks_left, -1);
    if (left != (fault == global_fault::last_finds_zero ? 0 : 1)) return;
    simt::__threadfence();
    if constexpr (filled == fills::by_block)
      block_.is_last = true;
    else
      fill(0, 1);
    choose_pivots();
    shared_.has_parts = true;
  }
  SIMT_FN void fill(int first, int step) {
    for (int i = shared_.end_of_low + first; i < shared_.begin_of_high; i += step)
      keys_.d[i] = shared_.pivot;
  }

  SIMT_FN void choose_pivots() {
    const key_range lows = shared_.lows(), highs = shared_.highs();
    if constexpr (chosen == pivots::averages) {
      const key_bounds& all = shared_.bounds;
      shared_.lows_pivot = average_of(lows, all.least_low, all.greatest_low);
      shared_.highs_pivot = average_of(highs, all.least_high, all.greatest_high);
    } else {
      shared_.lows_pivot = pivot_of(lows);
      shared_.highs_pivot = pivot_of(highs);
    }
  }
  SIMT_FN static int average_of(key_range s, int least, int greatest) {
    return s.size() == 0 ? 0 : least + (greatest - least) / 2;
  }
  SIMT_FN int pivot_of(key_range s) {
    if (fault == global_fault::medians_printed)
      return median(key_at(keys_, s.in_hat, s.begin),
                    key_at(keys_, s.in_hat, (s.begin + s.end) / 2), key_at(keys_, s.in_hat, s.end));
    return s.size() == 0 ? 0 : median_of(keys_, s);
  }
};
