// The repetitions of a workload.
#pragma once

#if defined(__CUDACC__) || defined(__NVPTX__)

#include <simt/detail/launch.hpp>

namespace simt::detail {
/// Whether the host has asked the lanes to leave. Polled between repetitions only: the API's calls
/// stay the bare instructions.
SIMT_FN bool abort_requested() {
  // Measured, a read of the host's memory would take longer than the rest; checked, it has no host.
#if defined(SIMT_MEASURED) || defined(SIMT_CHECKED)
  return false;
#else
  return *static_cast<volatile int*>(&launch.record->abort) != 0;
#endif
}
}  // namespace simt::detail

#define SIMT_MORE(i, repeat) ((i) < (repeat) && !::simt::detail::abort_requested())

#else

// A macro, since even a function that is always true would be a branch of the algorithm.
#define SIMT_MORE(i, repeat) ((i) < (repeat))

#endif
