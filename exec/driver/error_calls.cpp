// Gives names and texts of error codes.
#include "exec/driver/cuda.hpp"

using namespace warpcheck::driver;

namespace {

struct described {
  error code;
  const char* name;
  const char* text;
};
constexpr described errors[] = {
    {success, "CUDA_SUCCESS", "no error"},
    {invalid_value, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {not_initialized, "CUDA_ERROR_NOT_INITIALIZED", "the driver is not initialized"},
    {deinitialized, "CUDA_ERROR_DEINITIALIZED", "the driver is shutting down"},
    {no_device, "CUDA_ERROR_NO_DEVICE", "there is no device"},
    {invalid_device, "CUDA_ERROR_INVALID_DEVICE", "there is no device of that number"},
    {invalid_image, "CUDA_ERROR_INVALID_IMAGE", "the module cannot be read"},
    {invalid_context, "CUDA_ERROR_INVALID_CONTEXT", "there is no current context"},
    {no_binary_for_gpu, "CUDA_ERROR_NO_BINARY_FOR_GPU", "the module has no PTX"},
    {invalid_ptx, "CUDA_ERROR_INVALID_PTX", "the PTX cannot be parsed"},
    {file_not_found, "CUDA_ERROR_FILE_NOT_FOUND", "there is no such file"},
    {invalid_handle, "CUDA_ERROR_INVALID_HANDLE", "invalid handle"},
    {not_found, "CUDA_ERROR_NOT_FOUND", "there is nothing of that name"},
    {not_ready, "CUDA_ERROR_NOT_READY", "not ready"},
    {illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS", "a kernel accessed an illegal address"},
    {launch_out_of_resources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "the launch asks for more than a block may have"},
    {launch_timeout, "CUDA_ERROR_LAUNCH_TIMEOUT", "a kernel did not end in time"},
    {peer_access_already_enabled, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED",
     "access to the peer is enabled already"},
    {peer_access_not_enabled, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED",
     "access to the peer is not enabled"},
    {assert_failed, "CUDA_ERROR_ASSERT", "an assertion of a kernel failed"},
    {host_memory_already_registered, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "the memory is registered already"},
    {host_memory_not_registered, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
     "the memory is not registered"},
    {launch_failed, "CUDA_ERROR_LAUNCH_FAILED", "a kernel failed"},
    {cooperative_launch_too_large, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
     "a cooperative launch of more blocks than the device can hold"},
    {not_permitted, "CUDA_ERROR_NOT_PERMITTED", "the operation is not permitted"},
    {not_supported, "CUDA_ERROR_NOT_SUPPORTED", "the operation is not supported"},
    {unknown_error, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

const described* find_error(error code) {
  for (const described& one : errors) {
    if (one.code == code) return &one;
  }
  return nullptr;
}

}  // namespace

CUDA_CALL cuGetErrorName(error code, const char** name) {
  if (name == nullptr) return invalid_value;
  const described* const found = find_error(code);
  *name = found == nullptr ? nullptr : found->name;
  return found == nullptr ? invalid_value : success;
}

CUDA_CALL cuGetErrorString(error code, const char** text) {
  if (text == nullptr) return invalid_value;
  const described* const found = find_error(code);
  *text = found == nullptr ? nullptr : found->text;
  return found == nullptr ? invalid_value : success;
}
