// Defines the runtime's calls that are not supported, so that programs that name them start. Each
// says once that it is not supported, and returns an error.
#include "exec/runtime/runtime.hpp"

using namespace warpcheck;

#define REFUSED(name) \
  CUDA_CALL name() { return runtime::note(warpcheck_refuse_call(#name)); }
#include "exec/runtime/refused_calls.inc"
