// Implements the runtime's calls on streams and events by those of the driver.
#include "exec/runtime/runtime.hpp"

using namespace warpcheck;
using driver::success;
using runtime::note;

CUDA_CALL cudaStreamCreate(void** made) { return note(cuStreamCreate(made, 0)); }
CUDA_CALL cudaStreamCreateWithFlags(void** made, unsigned flags) {
  return note(cuStreamCreate(made, flags));
}
CUDA_CALL cudaStreamCreateWithPriority(void** made, unsigned flags, int) {
  return note(cuStreamCreate(made, flags));
}
// The default streams are numbers, not objects.
CUDA_CALL cudaStreamDestroy(void* stream) {
  if (reinterpret_cast<std::uintptr_t>(stream) <= 2) return note(driver::invalid_handle);
  return note(cuStreamDestroy_v2(stream));
}
CUDA_CALL cudaStreamSynchronize(void* stream) { return note(cuStreamSynchronize(stream)); }
CUDA_CALL cudaStreamSynchronize_ptsz(void* stream) { return note(cuStreamSynchronize(stream)); }
CUDA_CALL cudaStreamQuery(void* stream) { return note(cuStreamQuery(stream)); }
CUDA_CALL cudaStreamQuery_ptsz(void* stream) { return note(cuStreamQuery(stream)); }
CUDA_CALL cudaStreamWaitEvent(void*, void*, unsigned) { return success; }
CUDA_CALL cudaStreamWaitEvent_ptsz(void*, void*, unsigned) { return success; }
CUDA_CALL cudaStreamGetFlags(void*, unsigned* flags) {
  if (flags != nullptr) *flags = 0;
  return success;
}
CUDA_CALL cudaStreamGetPriority(void*, int* priority) {
  if (priority != nullptr) *priority = 0;
  return success;
}
CUDA_CALL cudaStreamIsCapturing(void*, int* status) {
  if (status != nullptr) *status = 0;
  return success;
}
CUDA_CALL cudaStreamAddCallback(void* stream, void (*call)(void*, driver::error, void*), void* data,
                                unsigned flags) {
  return note(cuStreamAddCallback(stream, call, data, flags));
}

CUDA_CALL cudaEventCreate(void** made) { return note(cuEventCreate(made, 0)); }
CUDA_CALL cudaEventCreateWithFlags(void** made, unsigned flags) {
  return note(cuEventCreate(made, flags));
}
CUDA_CALL cudaEventDestroy(void* event) { return note(cuEventDestroy_v2(event)); }
CUDA_CALL cudaEventRecord(void* event, void* stream) { return note(cuEventRecord(event, stream)); }
CUDA_CALL cudaEventRecord_ptsz(void* event, void* stream) {
  return note(cuEventRecord(event, stream));
}
CUDA_CALL cudaEventRecordWithFlags(void* event, void* stream, unsigned) {
  return note(cuEventRecord(event, stream));
}
CUDA_CALL cudaEventSynchronize(void*) { return note(cuCtxSynchronize()); }
CUDA_CALL cudaEventQuery(void*) { return note(cuCtxSynchronize()); }
CUDA_CALL cudaEventElapsedTime(float* milliseconds, void* from, void* to) {
  return note(cuEventElapsedTime_v2(milliseconds, from, to));
}
