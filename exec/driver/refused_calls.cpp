// Calls of the driver that are not supported: each says so once, and returns an error. They are
// there so that a program that names one starts.
#include "exec/driver/state.hpp"

using namespace warpcheck::driver;

#define REFUSED(name) \
  CUDA_CALL name() { return refuse_call(#name); }
#include "exec/driver/refused_calls.inc"

extern "C" [[gnu::visibility("default")]] error warpcheck_refuse_call(const char* name) {
  return refuse_call(name);
}
