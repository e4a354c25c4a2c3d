// Calls of the runtime that are not supported: each says so once, and returns an error. They are
// there so that a program that names one starts.
#include "exec/runtime/runtime.hpp"

using namespace warpcheck;

#define REFUSED(name) \
  CUDA_CALL name() { return runtime::note(warpcheck_refuse_call(#name)); }
#include "exec/runtime/refused_calls.inc"
