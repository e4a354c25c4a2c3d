// Defines the driver's calls that are not supported, so that programs that name them start. Each
// says once that it is not supported, and returns an error.
#include "exec/driver/state.hpp"

using namespace warpcheck::driver;

#define REFUSED(name) \
  CUDA_CALL name() { return refuse_call(#name); }
#include "exec/driver/refused_calls.inc"

extern "C" [[gnu::visibility("default")]] error warpcheck_refuse_call(const char* name) {
  return refuse_call(name);
}
