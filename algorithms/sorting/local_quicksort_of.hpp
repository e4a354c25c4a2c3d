// Phase two of GPU-Quicksort (Cederman's thesis, algorithm 3): a block sorts a sequence alone, over
// a stack that it shares. The listing has no barriers; those that it needs are here, and each can
// be left out.
//
// Models: sequences in either buffer, as the listing has them; the median of three as pivot; pivots
// written to `d`; the shorter sequence on top of the stack; bitonic sort of short ones.
#pragma once

#include "bitonic.hpp"
#include "block_counts.hpp"
#include "drawn_keys.hpp"
#include "key_range.hpp"

/// What of phase two is left out, or done otherwise.
enum class local_fault {
  none,
  no_barrier_behind_counts,
  no_barrier_behind_sums,
  no_barrier_before_pivots,  // which go to places of `d` that others may not have read yet
  no_barrier_behind_stack,   // all threads read it, and one changes it
  longer_on_top,
  at_most_the_pivot,  // keys like the pivot are moved, too
};

/// `min_size`: shorter sequences are sorted otherwise; a power of 2. `Keys`: with `d` and `hat`.
template <local_fault fault = local_fault::none, int min_size = 2, class Keys = drawn_keys,
          sums how = sums::by_one_thread>
class local_sorter {
 public:
  static constexpr int most_threads = simt::sized(4, 1024);
  static constexpr int most_stack = simt::sized(4, 32);
  /// Theorem 2.2: so many sequences are on the stack at most, the logarithm of the keys.
  SIMT_FN static int stack_bound(int keys) {
    int bound = 0;
    for (; keys > 1; keys /= 2) ++bound;
    return bound;
  }

  struct block_memory {
    block_counts<most_threads, how, fault != local_fault::no_barrier_behind_counts> counts;
    key_range stack[most_stack];
    int top;
    int few[min_size];
  };

  SIMT_FN local_sorter(Keys& keys, block_memory& block)
      : keys_(keys),
        block_(block),
        me_(static_cast<int>(simt::thread_rank() % simt::block_size())),
        threads_(static_cast<int>(simt::block_size())) {}

  SIMT_FN void sort(key_range all) {
    if (all.size() < min_size) return sort_few(all);
    const int bound = stack_bound(all.size());
    if (me_ == 0) {
      block_.top = 0;
      push(all, bound);
    }
    simt::syncthreads();
    while (block_.top != 0) {
      const key_range here = block_.stack[block_.top - 1];
      pass<local_fault::no_barrier_behind_stack>();
      if (me_ == 0) block_.top = block_.top - 1;
      divide(here, bound);
      simt::syncthreads();
    }
  }

 private:
  Keys& keys_;
  block_memory& block_;
  int me_, threads_;

  template <local_fault left_out>
  SIMT_FN static void pass() {
    if constexpr (fault != left_out) simt::syncthreads();
  }
  SIMT_FN int& key(bool in_hat, int i) { return key_at(keys_, in_hat, i); }
  SIMT_FN int key_of(key_range s, int i) { return key(s.in_hat, i); }

  SIMT_FN static bool is_low(int key, int pivot) {
    return fault == local_fault::at_most_the_pivot ? key <= pivot : key < pivot;
  }

  SIMT_FN void push(key_range s, int bound) {
    simt::check(block_.top < bound, "the stack is deeper than the logarithm of the keys");
    block_.stack[block_.top] = s;
    block_.top = block_.top + 1;
  }

  SIMT_FN void divide(key_range s, int bound) {
    const int pivot = median_of(keys_, s);
    int low = 0, high = 0;
    for (int i = s.begin + me_; i < s.end; i += threads_) {
      low += is_low(key_of(s, i), pivot) ? 1 : 0;
      high += key_of(s, i) > pivot ? 1 : 0;
    }
    block_.counts.add_up(low, high);
    pass<local_fault::no_barrier_behind_sums>();
    const int end_of_low = s.begin + block_.counts.low[threads_];
    const int begin_of_high = s.end - block_.counts.high[threads_];
    move(s, pivot, s.begin + block_.counts.low[me_], begin_of_high + block_.counts.high[me_]);
    pass<local_fault::no_barrier_before_pivots>();
    for (int i = end_of_low + me_; i < begin_of_high; i += threads_) keys_.d[i] = pivot;
    go_on_with({s.begin, end_of_low, !s.in_hat}, {begin_of_high, s.end, !s.in_hat}, bound);
  }

  SIMT_FN void move(key_range s, int pivot, int to_low, int to_high) {
    for (int i = s.begin + me_; i < s.end; i += threads_) {
      const int k = key_of(s, i);
      if (is_low(k, pivot)) key(!s.in_hat, to_low++) = k;
      if (k > pivot) key(!s.in_hat, to_high++) = k;
    }
  }

  SIMT_FN void go_on_with(key_range low, key_range high, int bound) {
    const bool low_is_longer = low.size() > high.size();
    const key_range longer = low_is_longer ? low : high, shorter = low_is_longer ? high : low;
    constexpr bool printed = fault != local_fault::longer_on_top;
    go_on_with(printed ? longer : shorter, bound);
    go_on_with(printed ? shorter : longer, bound);
  }
  SIMT_FN void go_on_with(key_range s, int bound) {
    if (s.size() < min_size) {
      sort_few(s);
    } else if (me_ == 0) {
      push(s, bound);
    }
  }

  SIMT_FN void sort_few(key_range s) {
    simt::syncthreads();  // keys have been moved by others
    int few = 2;
    while (few < s.size()) few *= 2;
    for (int i = me_; i < few; i += threads_) {
      constexpr int behind_all = 0x7fffffff;
      block_.few[i] = i < s.size() ? key_of(s, s.begin + i) : behind_all;
    }
    simt::syncthreads();
    bitonic_sort_keys(block_.few, few);
    for (int i = me_; i < s.size(); i += threads_) keys_.d[s.begin + i] = block_.few[i];
    simt::syncthreads();
  }
};
