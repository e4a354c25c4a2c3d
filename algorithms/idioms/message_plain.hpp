// As `message`, with a plain flag. A compiler may read it once, and wait for ever.
#pragma once

#include <simt/simt.hpp>

struct message_plain {
  int value = 0;
  int ready = 0;

  SIMT_FN void operator()() {
    if (simt::thread_rank() == 0) {
      value = 42;
      ready = 1;
    } else {
      while (ready == 0) {
      }
      simt::check(value == 42, "the message is not there");
    }
  }
};
SIMT_SUBJECT(message_plain);
