// Answers the runtime's calls about the device and its versions.
#include <cstring>

#include "exec/runtime/runtime.hpp"

using namespace warpcheck;
using driver::success;
using runtime::note;

namespace {

int attribute_of(int number) {
  int value = 0;
  cuDeviceGetAttribute(&value, number, 0);
  return value;
}

// The fields of CUDA 13's cudaDeviceProp that the stand-in sets, with their offsets. The rest of
// its 1,008 bytes is 0.
struct properties {
  char name[256];
  driver::uuid id;
  char luid[8];
  unsigned luid_mask;
  std::size_t memory, shared_per_block;
  int registers_per_block, warp_size;
  std::size_t pitch;
  int threads_per_block, block[3], grid[3];
  std::size_t constant_memory;
  int major, minor;
  std::size_t texture_alignment, texture_pitch_alignment;
  int multiprocessors, integrated, maps_host_memory;
  int textures[25], surfaces[14];
  std::size_t surface_alignment;
  int concurrent_kernels, ecc, pci[3], tcc, engines, unified_addressing, bus_width, l2_size,
      l2_persisting, threads_per_multiprocessor, priorities, l1_global, l1_local;
  std::size_t shared_per_multiprocessor;
  int registers_per_multiprocessor, managed_memory, boards[2], host_atomics, pageable,
      concurrent_managed, preemption, registered_pointers, cooperative_launch;
  std::size_t shared_per_block_optin;
  int pageable_tables, direct_managed, blocks_per_multiprocessor, policy_window;
  std::size_t reserved_shared;
  int rest[76];
};
static_assert(sizeof(properties) == 1008 && offsetof(properties, multiprocessors) == 384 &&
              offsetof(properties, surface_alignment) == 552 &&
              offsetof(properties, shared_per_multiprocessor) == 624 &&
              offsetof(properties, cooperative_launch) == 668 &&
              offsetof(properties, reserved_shared) == 696);

}  // namespace

CUDA_CALL cudaGetDeviceProperties(void* to, int device) {
  if (to == nullptr) return note(driver::invalid_value);
  if (device != 0) return note(driver::invalid_device);
  properties all{};
  cuDeviceGetName(all.name, sizeof all.name, 0);
  cuDeviceGetUuid_v2(&all.id, 0);
  cuMemGetInfo_v2(nullptr, &all.memory);
  all.shared_per_block = static_cast<std::size_t>(attribute_of(8));
  all.registers_per_block = attribute_of(12);
  all.warp_size = attribute_of(10);
  all.pitch = static_cast<std::size_t>(attribute_of(11));
  all.threads_per_block = attribute_of(1);
  for (int i = 0; i < 3; ++i) all.block[i] = attribute_of(2 + i);
  for (int i = 0; i < 3; ++i) all.grid[i] = attribute_of(5 + i);
  all.constant_memory = static_cast<std::size_t>(attribute_of(9));
  all.major = attribute_of(75);
  all.minor = attribute_of(76);
  all.texture_alignment = static_cast<std::size_t>(attribute_of(14));
  all.texture_pitch_alignment = static_cast<std::size_t>(attribute_of(51));
  all.multiprocessors = attribute_of(16);
  all.maps_host_memory = attribute_of(19);
  all.surface_alignment = static_cast<std::size_t>(attribute_of(30));
  all.concurrent_kernels = attribute_of(31);
  all.engines = attribute_of(40);
  all.unified_addressing = attribute_of(41);
  all.bus_width = attribute_of(37);
  all.l2_size = attribute_of(38);
  all.threads_per_multiprocessor = attribute_of(39);
  all.priorities = attribute_of(78);
  all.l1_global = attribute_of(79);
  all.l1_local = attribute_of(80);
  all.shared_per_multiprocessor = static_cast<std::size_t>(attribute_of(81));
  all.registers_per_multiprocessor = attribute_of(82);
  all.managed_memory = attribute_of(83);
  all.host_atomics = attribute_of(86);
  all.concurrent_managed = attribute_of(89);
  all.preemption = attribute_of(90);
  all.cooperative_launch = attribute_of(95);
  all.shared_per_block_optin = static_cast<std::size_t>(attribute_of(97));
  all.blocks_per_multiprocessor = attribute_of(106);
  all.reserved_shared = static_cast<std::size_t>(attribute_of(111));
  std::memcpy(to, &all, sizeof all);
  return success;
}

CUDA_CALL cudaGetDeviceCount(int* count) {
  if (count == nullptr) return note(driver::invalid_value);
  *count = 1;
  return note(runtime::begin());
}
CUDA_CALL cudaGetDevice(int* device) {
  if (device == nullptr) return note(driver::invalid_value);
  *device = 0;
  return success;
}
CUDA_CALL cudaSetDevice(int device) {
  return note(device == 0 ? runtime::begin() : driver::invalid_device);
}
CUDA_CALL cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
CUDA_CALL cudaSetDeviceFlags(unsigned) { return success; }
CUDA_CALL cudaGetDeviceFlags(unsigned* flags) {
  if (flags != nullptr) *flags = 0;
  return success;
}
CUDA_CALL cudaSetValidDevices(int*, int) { return success; }
CUDA_CALL cudaChooseDevice(int* device, const void*) { return cudaGetDevice(device); }
CUDA_CALL cudaDeviceGetAttribute(int* value, int number, int device) {
  return note(cuDeviceGetAttribute(value, number, device));
}
CUDA_CALL cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return note(cuDeviceGetPCIBusId(id, length, device));
}
CUDA_CALL cudaDeviceCanAccessPeer(int* can, int, int) {
  if (can != nullptr) *can = 0;
  return success;
}
CUDA_CALL cudaDeviceSynchronize() {
  if (const auto code = runtime::begin(); code != success) return note(code);
  return note(cuCtxSynchronize());
}
CUDA_CALL cudaDeviceReset() { return success; }
CUDA_CALL cudaDeviceSetLimit(int, std::size_t) { return success; }
CUDA_CALL cudaDeviceGetLimit(std::size_t* value, int) {
  if (value != nullptr) *value = 0;
  return success;
}
CUDA_CALL cudaDeviceSetCacheConfig(int) { return success; }
CUDA_CALL cudaDeviceGetCacheConfig(int* config) {
  if (config != nullptr) *config = 0;
  return success;
}
CUDA_CALL cudaDeviceSetSharedMemConfig(int) { return success; }
CUDA_CALL cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = 0;
  return success;
}
CUDA_CALL cudaDriverGetVersion(int* version) { return note(cuDriverGetVersion(version)); }
CUDA_CALL cudaRuntimeGetVersion(int* version) { return note(cuDriverGetVersion(version)); }

CUDA_CALL cudaGetDriverEntryPointByVersion(const char* name, void** found, unsigned version,
                                           unsigned long long flags, int* status) {
  return note(cuGetProcAddress_v2(name, found, static_cast<int>(version), flags, status));
}
CUDA_CALL cudaGetDriverEntryPoint(const char* name, void** found, unsigned long long flags,
                                  int* status) {
  return cudaGetDriverEntryPointByVersion(name, found, 13000, flags, status);
}

CUDA_CALL cudaProfilerStart() { return success; }
CUDA_CALL cudaProfilerStop() { return success; }
