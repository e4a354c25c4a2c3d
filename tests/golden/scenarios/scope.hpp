// A flag of scope block, between blocks.
#pragma once

#include <simt/simt.hpp>

struct scope {
  simt::atomic<int, simt::thread_scope_block> flag{0};

  SIMT_FN void operator()() {
    if (simt::block_index() == 0) {
      flag.store(1);
    } else {
      (void)flag.load();
    }
  }
};
SIMT_SUBJECT(scope);
