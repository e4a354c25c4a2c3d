// The message is plain data. The flag is atomic, so that the loop ends.
#pragma once

#include <simt/simt.hpp>

struct mailbox {
  int message = 0;
  simt::atomic<int, simt::thread_scope_device> full{0};
};

SIMT_FN inline void send(mailbox& box, int message) {
  box.message = message;
  box.full.store(1, simt::memory_order_relaxed);
}

SIMT_FN inline int receive(mailbox& box) {
  while (box.full.load(simt::memory_order_relaxed) == 0) {
  }
  return box.message;
}
