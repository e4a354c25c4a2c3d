// A lock that does not exclude, all of it in weak accesses: each of them races, too.
#pragma once

#include <simt/simt.hpp>

struct no_exclusion_weak {
  int held = 0;

  SIMT_FN void lock() {
    while (held != 0) {
    }
    held = 1;
  }

  SIMT_FN void unlock() { held = 0; }
};
SIMT_SUBJECT(no_exclusion_weak);
