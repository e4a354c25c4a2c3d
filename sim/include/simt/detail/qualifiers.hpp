// The qualifiers of device code, for all backends.
#pragma once

#if defined(__CUDACC__)

/// In front of every function that runs on the device.
#define SIMT_FN __device__ __forceinline__
/// For functions of the API that are no part of an algorithm.
#define SIMT_APART SIMT_FN
/// In front of a global variable in device memory.
#define SIMT_GLOBAL __device__
/// For the few functions that host and device both call (constructors, sizes).
#define SIMT_HOST_FN __host__ __device__ __forceinline__
/// Host code of the API itself: not traced.
#define SIMT_UNTRACED

#else

// Forced inlining makes a thread's body one control-flow graph, which reconvergence needs.
#define SIMT_FN __attribute__((always_inline)) inline
// Not inlined: what they branch on is none of an algorithm's branches.
#define SIMT_APART __attribute__((noinline)) inline
#define SIMT_GLOBAL
#define SIMT_HOST_FN __attribute__((always_inline)) inline
#if defined(__clang__)
#define SIMT_UNTRACED \
  __attribute__((disable_sanitizer_instrumentation)) __attribute__((no_sanitize("coverage")))
#else  // measured on a CPU
#define SIMT_UNTRACED
#endif

#endif
