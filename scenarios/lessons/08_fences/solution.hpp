// The store releases the message, and the load acquires it.
#pragma once

#include <simt/simt.hpp>

struct mailbox {
  int message = 0;
  simt::atomic<int, simt::thread_scope_device> full{0};
};

SIMT_FN inline void send(mailbox& box, int message) {
  box.message = message;
  box.full.store(1, simt::memory_order_release);
}

SIMT_FN inline int receive(mailbox& box) {
  while (box.full.load(simt::memory_order_acquire) == 0) {
  }
  return box.message;
}
