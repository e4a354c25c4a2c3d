// A counter that goes up and down, of which a thread makes itself the owner before it changes it,
// whoever the owner is: obstruction-free, and no more. It is the aggressive way with conflicts of
// software transactional memory (Herlihy, Luchangco, Moir and Scherer, PODC 2003): two threads may
// take the counter away from each other for ever, and neither ever changes it.
#pragma once

#include <simt/simt.hpp>

struct up_down_stolen {
  static constexpr const char* spec = "counter";

  struct alignas(8) owned {
    int owner;  // 0: nobody; thread i is i + 1
    int value;
  };

  simt::atomic<owned, simt::thread_scope_device> state{owned{0, 0}};

  SIMT_FN void increment() { change(1); }
  SIMT_FN void decrement() { change(-1); }
  SIMT_FN int read() { return state.load(simt::memory_order_relaxed).value; }

 private:
  SIMT_FN void change(int by) {
    const int me = static_cast<int>(simt::thread_rank()) + 1;
    bool changed = false;
    while (!changed) {
      owned seen = state.load(simt::memory_order_relaxed);
      owned mine{me, seen.value};
      if (!state.compare_exchange_strong(seen, mine, simt::memory_order_relaxed)) continue;
      changed = state.compare_exchange_strong(mine, owned{0, mine.value + by},
                                              simt::memory_order_relaxed);
    }
  }
};
SIMT_SUBJECT(up_down_stolen);
