// Implements the runtime's calls on memory by those of the driver.
#include <cstring>

#include "exec/runtime/runtime.hpp"

using namespace warpcheck;
using driver::success;
using runtime::extent;
using runtime::note;

namespace {

device_pointer address_of(const void* at) { return reinterpret_cast<device_pointer>(at); }

driver::error allocate(void** at, std::size_t size) {
  if (at == nullptr) return note(driver::invalid_value);
  *at = nullptr;
  if (size == 0) return success;
  if (const auto code = runtime::begin(); code != success) return note(code);
  return note(cuMemAlloc_v2(reinterpret_cast<device_pointer*>(at), size));
}

driver::error release(void* at) { return note(cuMemFree_v2(address_of(at))); }

driver::error copy(void* to, const void* from, std::size_t size) {
  if (const auto code = runtime::begin(); code != success) return note(code);
  return note(cuMemcpy(address_of(to), address_of(from), size));
}

driver::error fill(void* to, int value, std::size_t count) {
  return note(cuMemsetD8_v2(address_of(to), static_cast<std::uint8_t>(value), count));
}

driver::error copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                        std::size_t width, std::size_t height) {
  driver::copy_2d what{};
  what.src_type = driver::in_device_memory;
  what.src_device = address_of(from);
  what.src_pitch = from_pitch;
  what.dst_type = driver::in_device_memory;
  what.dst_device = address_of(to);
  what.dst_pitch = to_pitch;
  what.width = width;
  what.height = height;
  return note(cuMemcpy2D_v2(&what));
}

driver::error copy_symbol(const void* symbol, std::size_t offset, void* host, std::size_t size,
                          bool to_symbol) {
  driver::error code = success;
  const auto found = runtime::variable_of(symbol, code);
  if (code != success) return note(code);
  if (offset > found.size || size > found.size - offset) return note(driver::invalid_value);
  void* const device = reinterpret_cast<void*>(found.at + offset);
  return to_symbol ? copy(device, host, size) : copy(host, device, size);
}

// cudaPitchedPtr, cudaExtent.
struct pitched {
  void* at;
  std::size_t pitch, width, height;
};
struct box {
  std::size_t width, height, depth;
};

struct pointer_attributes {
  int type;
  int device;
  void* device_pointer;
  void* host_pointer;
  long reserved[8];
};

}  // namespace

CUDA_CALL cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return note(cuMemGetInfo_v2(free, total));
}
CUDA_CALL cudaMalloc(void** at, std::size_t size) { return allocate(at, size); }
CUDA_CALL cudaMallocHost(void** at, std::size_t size) { return allocate(at, size); }
CUDA_CALL cudaHostAlloc(void** at, std::size_t size, unsigned) { return allocate(at, size); }
CUDA_CALL cudaMallocManaged(void** at, std::size_t size, unsigned) { return allocate(at, size); }
CUDA_CALL cudaMallocAsync(void** at, std::size_t size, void*) { return allocate(at, size); }
CUDA_CALL cudaMallocAsync_ptsz(void** at, std::size_t size, void*) { return allocate(at, size); }
CUDA_CALL cudaMallocPitch(void** at, std::size_t* pitch, std::size_t width, std::size_t height) {
  if (const auto code = runtime::begin(); code != success) return note(code);
  return note(cuMemAllocPitch_v2(reinterpret_cast<device_pointer*>(at), pitch, width, height, 4));
}
CUDA_CALL cudaMalloc3D(pitched* made, box size) {
  if (made == nullptr) return note(driver::invalid_value);
  made->width = size.width;
  made->height = size.height;
  return cudaMallocPitch(&made->at, &made->pitch, size.width, size.height * size.depth);
}
CUDA_CALL cudaFree(void* at) { return release(at); }
CUDA_CALL cudaFreeHost(void* at) { return release(at); }
CUDA_CALL cudaFreeAsync(void* at, void*) { return release(at); }
CUDA_CALL cudaFreeAsync_ptsz(void* at, void*) { return release(at); }
CUDA_CALL cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return note(cuMemHostGetDevicePointer_v2(reinterpret_cast<device_pointer*>(device), host, flags));
}
CUDA_CALL cudaHostGetFlags(unsigned* flags, void*) {
  if (flags != nullptr) *flags = 0;
  return success;
}
CUDA_CALL cudaHostRegister(void* at, std::size_t size, unsigned flags) {
  return note(cuMemHostRegister_v2(at, size, flags));
}
CUDA_CALL cudaHostUnregister(void*) { return note(driver::host_memory_not_registered); }
CUDA_CALL cudaPointerGetAttributes(pointer_attributes* to, const void* at) {
  if (to == nullptr) return note(driver::invalid_value);
  *to = {};
  unsigned type = 0;
  to->host_pointer = const_cast<void*>(at);
  to->device = -1;
  if (cuPointerGetAttribute(&type, 2, address_of(at)) != success) return success;
  to->type = 2;  // of the device
  to->device = 0;
  to->device_pointer = const_cast<void*>(at);
  return success;
}

CUDA_CALL cudaMemcpy(void* to, const void* from, std::size_t size, int) {
  return copy(to, from, size);
}
CUDA_CALL cudaMemcpy_ptds(void* to, const void* from, std::size_t size, int) {
  return copy(to, from, size);
}
CUDA_CALL cudaMemcpyAsync(void* to, const void* from, std::size_t size, int, void*) {
  return copy(to, from, size);
}
CUDA_CALL cudaMemcpyAsync_ptsz(void* to, const void* from, std::size_t size, int, void*) {
  return copy(to, from, size);
}
CUDA_CALL cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t size) {
  return copy(to, from, size);
}
CUDA_CALL cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t size, void*) {
  return copy(to, from, size);
}
CUDA_CALL cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                       std::size_t width, std::size_t height, int) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height);
}
CUDA_CALL cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                            std::size_t from_pitch, std::size_t width, std::size_t height, int,
                            void*) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height);
}

CUDA_CALL cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t size,
                             std::size_t offset, int) {
  return copy_symbol(symbol, offset, const_cast<void*>(from), size, true);
}
CUDA_CALL cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t size,
                                  std::size_t offset, int, void*) {
  return copy_symbol(symbol, offset, const_cast<void*>(from), size, true);
}
CUDA_CALL cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t size, std::size_t offset,
                               int) {
  return copy_symbol(symbol, offset, to, size, false);
}
CUDA_CALL cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t size,
                                    std::size_t offset, int, void*) {
  return copy_symbol(symbol, offset, to, size, false);
}
CUDA_CALL cudaGetSymbolAddress(void** at, const void* symbol) {
  if (at == nullptr) return note(driver::invalid_value);
  driver::error code = success;
  *at = reinterpret_cast<void*>(runtime::variable_of(symbol, code).at);
  return note(code);
}
CUDA_CALL cudaGetSymbolSize(std::size_t* size, const void* symbol) {
  if (size == nullptr) return note(driver::invalid_value);
  driver::error code = success;
  *size = runtime::variable_of(symbol, code).size;
  return note(code);
}

CUDA_CALL cudaMemset(void* to, int value, std::size_t count) { return fill(to, value, count); }
CUDA_CALL cudaMemset_ptds(void* to, int value, std::size_t count) { return fill(to, value, count); }
CUDA_CALL cudaMemsetAsync(void* to, int value, std::size_t count, void*) {
  return fill(to, value, count);
}
CUDA_CALL cudaMemsetAsync_ptsz(void* to, int value, std::size_t count, void*) {
  return fill(to, value, count);
}
CUDA_CALL cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                       std::size_t height) {
  return note(
      cuMemsetD2D8_v2(address_of(to), pitch, static_cast<std::uint8_t>(value), width, height));
}
CUDA_CALL cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                            std::size_t height, void*) {
  return cudaMemset2D(to, pitch, value, width, height);
}

// There is one memory, so calls about the place of managed memory do nothing.
CUDA_CALL cudaMemPrefetchAsync(const void*, std::size_t, std::uint64_t, unsigned, void*) {
  return success;
}
CUDA_CALL cudaMemAdvise(const void*, std::size_t, int, std::uint64_t) { return success; }
CUDA_CALL cudaStreamAttachMemAsync(void*, void*, std::size_t, unsigned) { return success; }
