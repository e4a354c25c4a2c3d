// Flags that are raised through one slot: an operation puts the number of its flag there, raises
// the flag, and clears the slot. Who finds the slot taken does this for the other one first. So
// nobody waits, and each failed attempt is a help: an operation that never completes helps others
// for ever (Cederman's thesis, 2011, 1.1.6).
#pragma once

#include <simt/simt.hpp>

SIMT_OPERATION(raise);

struct helped_flags {
  using operations = simt::operation_list<simt_operation_raise>;
  using word = simt::atomic<int, simt::thread_scope_device>;

  word slot{0};  // the number of a flag, from 1 on; 0: free
  word flags{0};

  SIMT_FN void raise(int flag) {
    int other = 0;
    while (!slot.compare_exchange_strong(other, flag, simt::memory_order_relaxed)) {
      complete(other);
      other = 0;
    }
    complete(flag);
  }

 private:
  /// Raising a flag again changes nothing, so a late helper does no harm.
  SIMT_FN void complete(int flag) {
    flags.fetch_or(1 << flag, simt::memory_order_relaxed);
    slot.compare_exchange_strong(flag, 0, simt::memory_order_relaxed);
  }
};
SIMT_SUBJECT(helped_flags);
