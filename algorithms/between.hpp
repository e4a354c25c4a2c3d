// What stands between two phases of a kernel: a barrier or a fence, or, in a broken twin, nothing.
#pragma once

#include <simt/simt.hpp>

struct barrier {
  SIMT_FN static void pass() { simt::syncthreads(); }
};
struct fence {
  SIMT_FN static void pass() { simt::__threadfence(); }
};
struct nothing {
  SIMT_FN static void pass() {}
};
