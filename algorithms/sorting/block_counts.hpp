// How the threads of a block learn where their keys go: each counts its low and its high keys, and
// its places are the prefix sums of these counts.
#pragma once

#include <simt/simt.hpp>

/// One thread adds up all counts; each thread adds its own to a sum; or they build prefix sums
/// together.
enum class sums { by_one_thread, fetch_and_add, scan };

/// In block-shared memory. `has_barrier`: behind the counts; broken twins lack it.
template <int most_threads, sums how, bool has_barrier = true>
struct block_counts {
  int low[most_threads + 1], high[most_threads + 1];
  int more_low[most_threads], more_high[most_threads];  // of prefix sums

  /// low[t] and high[t] become the counts of the threads before t; behind the last one come those
  /// of all. In `by_one_thread` and `fetch_and_add`, a barrier has to follow.
  SIMT_FN void add_up(int lows, int highs) {
    if constexpr (how == sums::fetch_and_add) {
      // Block-shared memory starts as zeros in the simulator alone.
      if (me() == 0) low[threads()] = high[threads()] = 0;
      simt::syncthreads();
      low[me()] = simt::atomicAdd_block(&low[threads()], lows);
      high[me()] = simt::atomicAdd_block(&high[threads()], highs);
      pass();
    } else if constexpr (how == sums::scan) {
      scan(lows, highs);
    } else {
      low[me()] = lows;
      high[me()] = highs;
      pass();
      if (me() == 0) add_up_alone();
    }
  }

 private:
  SIMT_FN static int me() { return static_cast<int>(simt::thread_rank() % simt::block_size()); }
  SIMT_FN static int threads() { return static_cast<int>(simt::block_size()); }
  SIMT_FN static void pass() {
    if constexpr (has_barrier) simt::syncthreads();
  }

  SIMT_FN void add_up_alone() {
    int lows = 0, highs = 0;
    for (int t = 0; t <= threads(); ++t) {
      const int more_lows = t < threads() ? low[t] : 0, more_highs = t < threads() ? high[t] : 0;
      low[t] = lows;
      high[t] = highs;
      lows += more_lows;
      highs += more_highs;
    }
  }
  /// Prefix sums of both at once (Hillis and Steele 1986; the thesis takes Blelloch's).
  SIMT_FN void scan(int own_lows, int own_highs) {
    int lows = own_lows, highs = own_highs;
    for (int distance = 1; distance < threads(); distance *= 2) {
      more_low[me()] = lows;
      more_high[me()] = highs;
      pass();
      if (me() >= distance) {
        lows += more_low[me() - distance];
        highs += more_high[me() - distance];
      }
      simt::syncthreads();
    }
    low[me()] = lows - own_lows;
    high[me()] = highs - own_highs;
    if (me() == threads() - 1) {
      low[threads()] = lows;
      high[threads()] = highs;
    }
    simt::syncthreads();
  }
};
