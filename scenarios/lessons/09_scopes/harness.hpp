// Block 0 sends a message, block 1 receives it.
#pragma once

#include <simt/simt.hpp>

#include "kernel.hpp"

struct lesson {
  mailbox box;
  int received = 0;

  SIMT_FN void operator()() {
    if (simt::block_index() == 0) {
      send(box, 7);
    } else {
      received = receive(box);
    }
  }

  const char* check() const { return received == 7 ? nullptr : "the message is wrong"; }
};
SIMT_SUBJECT(lesson);
