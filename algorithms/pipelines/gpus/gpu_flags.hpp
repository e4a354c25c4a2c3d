// Two GPUs (blocks here) exchange values, round after round: each stores its value, raises the flag
// of the other one, waits for its own, and reads the other's value. Two sets of values take turns,
// so that nobody overwrites what is still read. One thread of each does all of this.
//
// `How` is signal_rules, or changes one of them.
#pragma once

#include <simt/simt.hpp>

struct signal_rules {
  static constexpr simt::thread_scope scope = simt::thread_scope_system;
  static constexpr simt::memory_order raising = simt::memory_order_release;
  static constexpr simt::memory_order seeing = simt::memory_order_acquire;
  static constexpr bool counts_rounds = true;  ///< a flag says of which round it is
  static constexpr unsigned sets = 2;          ///< of values
};

template <class How = signal_rules>
struct gpu_flags {
  static constexpr unsigned gpus = 2;
  static constexpr unsigned rounds = 2;
  int value[gpus][How::sets]{};
  simt::atomic<unsigned, How::scope> flag[gpus];
  int sum[gpus]{};

  SIMT_FN void operator()() {
    const unsigned own = simt::block_index();
    const unsigned other = gpus - 1 - own;
    int all = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      const unsigned set = round % How::sets;
      const unsigned signal = How::counts_rounds ? round + 1 : 1;
      value[own][set] = static_cast<int>(round + 1 + 10 * own);
      flag[other].store(signal, How::raising);
      while (flag[own].load(How::seeing) < signal) {
      }
      all += value[other][set];
    }
    sum[own] = all;
  }

  bool check() const { return sum[0] == 23 && sum[1] == 3; }
};
