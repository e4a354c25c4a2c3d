// Answers calls about the driver, its one device and its one context.
#include <cstring>

#include "exec/driver/state.hpp"

using namespace warpcheck::driver;

namespace {

constexpr int driver_version = 13000;
constexpr char device_name[] = "warpcheck (no GPU)";

struct attribute {
  int number;
  int value;
};
// Attributes by the driver API's numbers. The device is of sm_90 and small, so that grids whose
// size depends on it can be checked: two multiprocessors, each with room for one block.
constexpr attribute attributes[] = {
    {1, 1024},                                           // threads of a block
    {2, 1024},                                           // ... in x, y, z
    {3, 1024},        {4, 64},         {5, 0x7fffffff},  // blocks of a grid in x, y, z
    {6, 65535},       {7, 65535},      {8, 48 << 10},    // shared memory of a block
    {9, 64 << 10},                                       // constant memory
    {10, 32},                                            // threads of a warp
    {11, 0x7fffffff},                                    // pitch
    {12, 65536},                                         // registers of a block
    {13, 1000000},                                       // clock, kHz
    {14, 512},                                           // alignment of textures
    {15, 1},                                             // copies beside kernels
    {16, 2},                                             // multiprocessors
    {19, 1},                                             // can map host memory
    {30, 512},                                           // alignment of surfaces
    {31, 1},                                             // concurrent kernels
    {36, 1000000},                                       // memory clock, kHz
    {37, 512},                                           // memory bus, bits
    {38, 1 << 20},                                       // L2 cache
    {39, 1024},                                          // threads of a multiprocessor
    {40, 1},                                             // engines for copies
    {41, 1},                                             // unified addressing
    {51, 32},                                            // alignment of pitched textures
    {75, 9},                                             // compute capability
    {76, 0},          {78, 1},                           // priorities of streams
    {79, 1},                                             // caches of global and local memory
    {80, 1},          {81, 228 << 10},                   // shared memory of a multiprocessor
    {82, 65536},                                         // registers of a multiprocessor
    {83, 1},                                             // managed memory
    {86, 1},                                             // atomics on host memory
    {87, 2},                                             // single to double precision
    {89, 1},                                             // managed memory while kernels run
    {90, 1},                                             // preemption
    {95, 1},                                             // cooperative launches
    {97, 227 << 10},  // shared memory of a block that asks for it
    {106, 1},         // blocks of a multiprocessor
    {111, 1024},      // shared memory that is reserved
    {115, 1},         // memory pools
    {129, 1},         // unified function pointers
};

// From version 12.5 on a fourth form has parameters. There is one context, so all forms are alike.
error make_context(void** context) {
  if (context == nullptr) return invalid_value;
  has_context() = true;
  *context = only_context();
  return the().open();
}

error need_device(int device) { return device == 0 ? success : invalid_device; }

}  // namespace

CUDA_CALL cuInit(unsigned flags) { return flags == 0 ? the().open() : invalid_value; }

CUDA_CALL cuDriverGetVersion(int* version) {
  if (version == nullptr) return invalid_value;
  *version = driver_version;
  return success;
}

CUDA_CALL cuDeviceGetCount(int* count) {
  if (count == nullptr) return invalid_value;
  *count = 1;
  return the().open();
}

CUDA_CALL cuDeviceGet(int* device, int ordinal) {
  if (device == nullptr) return invalid_value;
  *device = 0;
  return need_device(ordinal);
}

CUDA_CALL cuDeviceGetName(char* name, int length, int device) {
  if (name == nullptr || length <= 0) return invalid_value;
  std::strncpy(name, device_name, static_cast<std::size_t>(length));
  name[length - 1] = '\0';
  return need_device(device);
}

CUDA_CALL cuDeviceGetUuid_v2(uuid* id, int device) {
  if (id == nullptr) return invalid_value;
  std::memcpy(id->bytes, "warpcheck device", sizeof id->bytes);
  return need_device(device);
}
CUDA_CALL cuDeviceGetUuid(uuid* id, int device) { return cuDeviceGetUuid_v2(id, device); }

CUDA_CALL cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  if (bytes == nullptr) return invalid_value;
  *bytes = warpcheck::wire::memory_size;
  return need_device(device);
}

CUDA_CALL cuDeviceGetAttribute(int* value, int number, int device) {
  if (value == nullptr) return invalid_value;
  *value = 0;
  for (const attribute& one : attributes) {
    if (one.number == number) *value = one.value;
  }
  return need_device(device);
}

CUDA_CALL cuDeviceGetPCIBusId(char* id, int length, int device) {
  if (id == nullptr || length < 13) return invalid_value;
  std::strcpy(id, "0000:00:00.0");
  return need_device(device);
}
CUDA_CALL cuDeviceGetByPCIBusId(int* device, const char*) { return cuDeviceGet(device, 0); }

CUDA_CALL cuDeviceCanAccessPeer(int* can, int, int) {
  if (can == nullptr) return invalid_value;
  *can = 0;
  return success;
}

// --- the context ---

CUDA_CALL cuDevicePrimaryCtxRetain(void** context, int device) {
  if (const error code = need_device(device); code != success) return code;
  if (context == nullptr) return invalid_value;
  *context = only_context();
  return the().open();
}
CUDA_CALL cuDevicePrimaryCtxRelease_v2(int device) { return need_device(device); }
CUDA_CALL cuDevicePrimaryCtxReset_v2(int device) { return need_device(device); }
CUDA_CALL cuDevicePrimaryCtxSetFlags_v2(int device, unsigned) { return need_device(device); }
CUDA_CALL cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
  if (flags != nullptr) *flags = 0;
  if (active != nullptr) *active = the().is_open ? 1 : 0;
  return need_device(device);
}

CUDA_CALL cuCtxCreate_v2(void** context, unsigned, int device) {
  if (const error code = need_device(device); code != success) return code;
  return make_context(context);
}
CUDA_CALL cuCtxCreate_v3(void** context, void*, int, unsigned, int device) {
  return cuCtxCreate_v2(context, 0, device);
}
CUDA_CALL cuCtxCreate_v4(void** context, void*, unsigned, int device) {
  return cuCtxCreate_v2(context, 0, device);
}
CUDA_CALL cuCtxDestroy_v2(void*) {
  has_context() = false;
  return success;
}
CUDA_CALL cuCtxSetCurrent(void* context) {
  has_context() = context != nullptr;
  return success;
}
CUDA_CALL cuCtxGetCurrent(void** context) {
  if (context == nullptr) return invalid_value;
  *context = has_context() ? only_context() : nullptr;
  return success;
}
CUDA_CALL cuCtxPushCurrent_v2(void* context) { return cuCtxSetCurrent(context); }
CUDA_CALL cuCtxPopCurrent_v2(void** context) {
  if (context != nullptr) *context = has_context() ? only_context() : nullptr;
  return cuCtxSetCurrent(nullptr);
}
CUDA_CALL cuCtxGetDevice(int* device) {
  if (!has_context()) return invalid_context;
  return cuDeviceGet(device, 0);
}
CUDA_CALL cuCtxGetDevice_v2(int* device, void*) { return cuDeviceGet(device, 0); }
CUDA_CALL cuCtxGetFlags(unsigned* flags) {
  if (flags == nullptr) return invalid_value;
  *flags = 0;
  return success;
}
CUDA_CALL cuCtxSetFlags(unsigned) { return success; }
CUDA_CALL cuCtxGetId(void*, unsigned long long* id) {
  if (id == nullptr) return invalid_value;
  *id = 1;
  return success;
}
CUDA_CALL cuCtxGetApiVersion(void*, unsigned* version) {
  if (version == nullptr) return invalid_value;
  *version = driver_version;
  return success;
}
CUDA_CALL cuCtxSynchronize() { return the().failed; }
CUDA_CALL cuCtxSynchronize_v2(void*) { return the().failed; }
CUDA_CALL cuCtxGetLimit(std::size_t* value, int) {
  if (value == nullptr) return invalid_value;
  *value = 0;
  return success;
}
CUDA_CALL cuCtxSetLimit(int, std::size_t) { return success; }
CUDA_CALL cuCtxGetCacheConfig(int* config) {
  if (config == nullptr) return invalid_value;
  *config = 0;
  return success;
}
CUDA_CALL cuCtxSetCacheConfig(int) { return success; }
CUDA_CALL cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = 0;
  return success;
}
CUDA_CALL cuCtxResetPersistingL2Cache() { return success; }

CUDA_CALL cuProfilerStart() { return success; }
CUDA_CALL cuProfilerStop() { return success; }
