// Each passage needs all others.
#pragma once

#include <simt/simt.hpp>

struct waits_at_barrier {
  SIMT_FN void operator()() { simt::syncthreads(); }
};
SIMT_SUBJECT(waits_at_barrier);
