// Makes streams and events. Work is done when it is enqueued, in the order of the calls: one of the
// orders that streams allow.
#include <chrono>

#include "exec/driver/state.hpp"

using namespace warpcheck::driver;

namespace {

using clock_type = std::chrono::steady_clock;

struct stream {
  unsigned flags = 0;
  int priority = 0;
};

struct event {
  clock_type::time_point at;
};

event* event_of(void* handle) { return static_cast<event*>(handle); }

}  // namespace

CUDA_CALL cuStreamCreate(void** made, unsigned flags) {
  if (made == nullptr) return invalid_value;
  *made = new stream{flags};
  return success;
}
CUDA_CALL cuStreamCreateWithPriority(void** made, unsigned flags, int) {
  return cuStreamCreate(made, flags);
}
CUDA_CALL cuStreamDestroy_v2(void* handle) {
  delete static_cast<stream*>(handle);
  return success;
}
CUDA_CALL cuStreamQuery(void*) { return the().failed; }
CUDA_CALL cuStreamSynchronize(void*) { return the().failed; }
CUDA_CALL cuStreamWaitEvent(void*, void*, unsigned) { return the().failed; }
CUDA_CALL cuStreamGetFlags(void*, unsigned* flags) {
  if (flags != nullptr) *flags = 0;
  return success;
}
CUDA_CALL cuStreamGetPriority(void*, int* priority) {
  if (priority != nullptr) *priority = 0;
  return success;
}
CUDA_CALL cuStreamGetCtx(void*, void** context) {
  if (context != nullptr) *context = only_context();
  return success;
}
CUDA_CALL cuStreamGetId(void* handle, unsigned long long* id) {
  if (id != nullptr) *id = reinterpret_cast<unsigned long long>(handle);
  return success;
}
CUDA_CALL cuStreamGetDevice(void*, int* device) {
  if (device != nullptr) *device = 0;
  return success;
}
CUDA_CALL cuStreamIsCapturing(void*, int* status) {
  if (status == nullptr) return invalid_value;
  *status = 0;
  return success;
}
CUDA_CALL cuThreadExchangeStreamCaptureMode(int* mode) {
  return mode == nullptr ? invalid_value : success;
}
CUDA_CALL cuStreamAddCallback(void* handle, void (*call)(void*, error, void*), void* data,
                              unsigned) {
  if (call == nullptr) return invalid_value;
  call(handle, the().failed, data);
  return success;
}
CUDA_CALL cuLaunchHostFunc(void*, void (*call)(void*), void* data) {
  if (call == nullptr) return invalid_value;
  if (the().failed == success) call(data);
  return the().failed;
}

CUDA_CALL cuEventCreate(void** made, unsigned) {
  if (made == nullptr) return invalid_value;
  *made = new event{clock_type::now()};
  return success;
}
CUDA_CALL cuEventDestroy_v2(void* handle) {
  delete event_of(handle);
  return success;
}
CUDA_CALL cuEventRecord(void* handle, void*) {
  if (handle == nullptr) return invalid_handle;
  event_of(handle)->at = clock_type::now();
  return the().failed;
}
CUDA_CALL cuEventRecordWithFlags(void* handle, void* on, unsigned) {
  return cuEventRecord(handle, on);
}
CUDA_CALL cuEventQuery(void*) { return the().failed; }
CUDA_CALL cuEventSynchronize(void*) { return the().failed; }
CUDA_CALL cuEventElapsedTime_v2(float* milliseconds, void* from, void* to) {
  if (milliseconds == nullptr || from == nullptr || to == nullptr) return invalid_value;
  const std::chrono::duration<float, std::milli> between = event_of(to)->at - event_of(from)->at;
  *milliseconds = between.count();
  return the().failed;
}
CUDA_CALL cuEventElapsedTime(float* milliseconds, void* from, void* to) {
  return cuEventElapsedTime_v2(milliseconds, from, to);
}
