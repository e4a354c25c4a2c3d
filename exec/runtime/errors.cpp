// Keeps the runtime's last error of each thread, and gives names and texts of errors.
#include "exec/runtime/runtime.hpp"

using namespace warpcheck;

namespace warpcheck::runtime {

error& last_error() {
  thread_local error last = driver::success;
  return last;
}

error note(error code) {
  if (code != driver::success) last_error() = code;
  return code;
}

error begin() {
  void* context = nullptr;
  if (const error code = cuDevicePrimaryCtxRetain(&context, 0); code != driver::success)
    return code;
  return cuCtxSetCurrent(context);
}

}  // namespace warpcheck::runtime

namespace {

struct named_error {
  int code;
  const char* name;
};
constexpr named_error names[] = {
    {0, "cudaSuccess"},
    {1, "cudaErrorInvalidValue"},
    {2, "cudaErrorMemoryAllocation"},
    {3, "cudaErrorInitializationError"},
    {4, "cudaErrorCudartUnloading"},
    {13, "cudaErrorInvalidSymbol"},
    {52, "cudaErrorMissingConfiguration"},
    {98, "cudaErrorInvalidDeviceFunction"},
    {100, "cudaErrorNoDevice"},
    {101, "cudaErrorInvalidDevice"},
    {200, "cudaErrorInvalidKernelImage"},
    {201, "cudaErrorDeviceUninitialized"},
    {209, "cudaErrorNoKernelImageForDevice"},
    {218, "cudaErrorInvalidPtx"},
    {301, "cudaErrorFileNotFound"},
    {400, "cudaErrorInvalidResourceHandle"},
    {500, "cudaErrorSymbolNotFound"},
    {600, "cudaErrorNotReady"},
    {700, "cudaErrorIllegalAddress"},
    {701, "cudaErrorLaunchOutOfResources"},
    {702, "cudaErrorLaunchTimeout"},
    {704, "cudaErrorPeerAccessAlreadyEnabled"},
    {705, "cudaErrorPeerAccessNotEnabled"},
    {710, "cudaErrorAssert"},
    {713, "cudaErrorHostMemoryNotRegistered"},
    {719, "cudaErrorLaunchFailure"},
    {720, "cudaErrorCooperativeLaunchTooLarge"},
    {801, "cudaErrorNotSupported"},
    {999, "cudaErrorUnknown"},
};

}  // namespace

extern "C" [[gnu::visibility("default")]] const char* cudaGetErrorName(driver::error code) {
  for (const named_error& one : names) {
    if (one.code == code) return one.name;
  }
  return "unrecognized error code";
}

extern "C" [[gnu::visibility("default")]] const char* cudaGetErrorString(driver::error code) {
  const char* text = nullptr;
  if (code == runtime::invalid_symbol) return "invalid device symbol";
  if (code == runtime::invalid_function) return "invalid device function";
  return cuGetErrorString(code, &text) == driver::success ? text : "unrecognized error code";
}

CUDA_CALL cudaGetLastError() {
  const driver::error code = runtime::last_error();
  runtime::last_error() = driver::success;
  return code;
}
CUDA_CALL cudaPeekAtLastError() { return runtime::last_error(); }
