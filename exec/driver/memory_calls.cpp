// Allocates, copies and fills memory. All memory is host memory, and each call is done when it
// returns.
#include <cstring>

#include "exec/driver/state.hpp"

using namespace warpcheck::driver;

namespace {

void* pointer_of(device_pointer at) { return reinterpret_cast<void*>(at); }
device_pointer address_of(const void* at) { return reinterpret_cast<device_pointer>(at); }

error allocate(device_pointer* at, std::size_t size) {
  if (at == nullptr || size == 0) return invalid_value;
  if (const error code = the().open(); code != success) return code;
  const std::lock_guard guard(the().lock);
  *at = the().memory.allocate(size);
  return *at == 0 ? out_of_memory : success;
}

error release(device_pointer at) {
  if (at == 0) return success;
  const std::lock_guard guard(the().lock);
  return the().memory.release(at) ? success : invalid_value;
}

// Whether the bytes may be accessed: those in the range of device memory need an allocation.
bool is_memory(device_pointer at, std::size_t size) {
  const device_pointer begin = warpcheck::wire::memory_begin;
  if (at + size <= begin || at >= begin + warpcheck::wire::memory_size) return at != 0;
  const std::lock_guard guard(the().lock);
  return the().memory.has(at, size);
}

error copy(device_pointer to, device_pointer from, std::size_t size) {
  if (the().failed != success) return the().failed;
  if (size == 0) return success;
  if (!is_memory(to, size) || !is_memory(from, size)) return invalid_value;
  std::memmove(pointer_of(to), pointer_of(from), size);
  return success;
}

template <class T>
error fill(device_pointer to, std::size_t pitch, T value, std::size_t width, std::size_t height) {
  if (the().failed != success) return the().failed;
  for (std::size_t row = 0; row < height && width > 0; ++row) {
    const device_pointer begin = to + row * pitch;
    if (!is_memory(begin, width * sizeof(T))) return invalid_value;
    for (std::size_t i = 0; i < width; ++i)
      std::memcpy(pointer_of(begin + i * sizeof(T)), &value, sizeof value);
  }
  return success;
}

template <class Copy>
error copy_box(const Copy& what, std::size_t from_z, std::size_t to_z, std::size_t from_height,
               std::size_t to_height, std::size_t depth) {
  if (what.src_type == in_array || what.dst_type == in_array) {
    return refuse_call("a copy from or to a CUDA array");
  }
  const device_pointer from =
      what.src_type == in_host_memory ? address_of(what.src_host) : what.src_device;
  const device_pointer to =
      what.dst_type == in_host_memory ? address_of(what.dst_host) : what.dst_device;
  const std::size_t from_pitch = what.src_pitch == 0 ? what.width : what.src_pitch;
  const std::size_t to_pitch = what.dst_pitch == 0 ? what.width : what.dst_pitch;
  for (std::size_t z = 0; z < depth; ++z) {
    for (std::size_t y = 0; y < what.height; ++y) {
      const error code =
          copy(to + ((to_z + z) * to_height + what.dst_y + y) * to_pitch + what.dst_x,
               from + ((from_z + z) * from_height + what.src_y + y) * from_pitch + what.src_x,
               what.width);
      if (code != success) return code;
    }
  }
  return success;
}

}  // namespace

CUDA_CALL cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  if (free != nullptr) *free = warpcheck::wire::memory_size - the().memory.used();
  if (total != nullptr) *total = warpcheck::wire::memory_size;
  return success;
}

CUDA_CALL cuMemAlloc_v2(device_pointer* at, std::size_t size) { return allocate(at, size); }
CUDA_CALL cuMemFree_v2(device_pointer at) { return release(at); }
CUDA_CALL cuMemAllocPitch_v2(device_pointer* at, std::size_t* pitch, std::size_t width,
                             std::size_t height, unsigned) {
  if (pitch == nullptr) return invalid_value;
  *pitch = (width + 511) / 512 * 512;
  return allocate(at, *pitch * height);
}
CUDA_CALL cuMemAllocAsync(device_pointer* at, std::size_t size, void*) {
  return allocate(at, size);
}
CUDA_CALL cuMemAllocFromPoolAsync(device_pointer* at, std::size_t size, void*, void*) {
  return allocate(at, size);
}
CUDA_CALL cuMemFreeAsync(device_pointer at, void*) { return release(at); }
CUDA_CALL cuMemAllocManaged(device_pointer* at, std::size_t size, unsigned) {
  return allocate(at, size);
}
CUDA_CALL cuMemHostAlloc(void** at, std::size_t size, unsigned) {
  return allocate(reinterpret_cast<device_pointer*>(at), size);
}
CUDA_CALL cuMemAllocHost_v2(void** at, std::size_t size) { return cuMemHostAlloc(at, size, 0); }
CUDA_CALL cuMemFreeHost(void* at) { return release(address_of(at)); }
CUDA_CALL cuMemHostGetDevicePointer_v2(device_pointer* device, void* host, unsigned) {
  if (device == nullptr) return invalid_value;
  *device = address_of(host);
  return is_memory(*device, 1) ? success : invalid_value;
}
CUDA_CALL cuMemHostGetFlags(unsigned* flags, void*) {
  if (flags != nullptr) *flags = 0;
  return success;
}
CUDA_CALL cuMemHostRegister_v2(void*, std::size_t, unsigned) {
  return refuse_call("cuMemHostRegister (cudaHostRegister)",
                     "allocate the memory with cudaMallocHost");
}
CUDA_CALL cuMemHostUnregister(void*) { return host_memory_not_registered; }

CUDA_CALL cuMemGetAddressRange_v2(device_pointer* begin, std::size_t* size, device_pointer at) {
  const std::lock_guard guard(the().lock);
  const auto found = the().memory.find(at);
  if (!found) return not_found;
  if (begin != nullptr) *begin = found->begin;
  if (size != nullptr) *size = found->size;
  return success;
}

namespace {

// Attributes by the driver API's numbers: context, type, device and host pointer, begin, size,
// device.
error tell_attribute(void* data, int number, device_pointer at) {
  const std::lock_guard guard(the().lock);
  const auto found = the().memory.find(at);
  if (data == nullptr) return invalid_value;
  if (!found) return invalid_value;
  const auto give = [&](auto value) { std::memcpy(data, &value, sizeof value); };
  switch (number) {
    case 1: give(only_context()); return success;
    case 2: give(static_cast<unsigned>(in_device_memory)); return success;
    case 3:
    case 4: give(at); return success;
    case 7: give(std::uint64_t{1}); return success;
    case 8: give(0); return success;
    case 9: give(0); return success;
    case 11: give(found->begin); return success;
    case 12: give(found->size); return success;
    default: give(0); return success;
  }
}

}  // namespace

CUDA_CALL cuPointerGetAttribute(void* data, int number, device_pointer at) {
  return tell_attribute(data, number, at);
}
CUDA_CALL cuPointerGetAttributes(unsigned count, const int* numbers, void** data,
                                 device_pointer at) {
  for (unsigned i = 0; i < count; ++i) {
    if (tell_attribute(data[i], numbers[i], at) == success) continue;
    // Memory that the driver does not know has attributes of 0.
    const std::size_t size = numbers[i] == 1 || (numbers[i] >= 3 && numbers[i] <= 4) ||
                                     numbers[i] == 11 || numbers[i] == 12
                                 ? 8
                                 : 4;
    std::memset(data[i], 0, size);
  }
  return success;
}

// --- copies ---

CUDA_CALL cuMemcpy(device_pointer to, device_pointer from, std::size_t size) {
  return copy(to, from, size);
}
CUDA_CALL cuMemcpyAsync(device_pointer to, device_pointer from, std::size_t size, void*) {
  return copy(to, from, size);
}
CUDA_CALL cuMemcpyHtoD_v2(device_pointer to, const void* from, std::size_t size) {
  return copy(to, address_of(from), size);
}
CUDA_CALL cuMemcpyHtoDAsync_v2(device_pointer to, const void* from, std::size_t size, void*) {
  return copy(to, address_of(from), size);
}
CUDA_CALL cuMemcpyDtoH_v2(void* to, device_pointer from, std::size_t size) {
  return copy(address_of(to), from, size);
}
CUDA_CALL cuMemcpyDtoHAsync_v2(void* to, device_pointer from, std::size_t size, void*) {
  return copy(address_of(to), from, size);
}
CUDA_CALL cuMemcpyDtoD_v2(device_pointer to, device_pointer from, std::size_t size) {
  return copy(to, from, size);
}
CUDA_CALL cuMemcpyDtoDAsync_v2(device_pointer to, device_pointer from, std::size_t size, void*) {
  return copy(to, from, size);
}
CUDA_CALL cuMemcpy2D_v2(const copy_2d* what) { return copy_box(*what, 0, 0, 0, 0, 1); }
CUDA_CALL cuMemcpy2DUnaligned_v2(const copy_2d* what) { return cuMemcpy2D_v2(what); }
CUDA_CALL cuMemcpy2DAsync_v2(const copy_2d* what, void*) { return cuMemcpy2D_v2(what); }
CUDA_CALL cuMemcpy3D_v2(const copy_3d* what) {
  return copy_box(*what, what->src_z, what->dst_z,
                  what->src_height == 0 ? what->height : what->src_height,
                  what->dst_height == 0 ? what->height : what->dst_height, what->depth);
}
CUDA_CALL cuMemcpy3DAsync_v2(const copy_3d* what, void*) { return cuMemcpy3D_v2(what); }

// --- fills ---

CUDA_CALL cuMemsetD8_v2(device_pointer to, std::uint8_t value, std::size_t count) {
  return fill(to, 0, value, count, 1);
}
CUDA_CALL cuMemsetD16_v2(device_pointer to, std::uint16_t value, std::size_t count) {
  return fill(to, 0, value, count, 1);
}
CUDA_CALL cuMemsetD32_v2(device_pointer to, std::uint32_t value, std::size_t count) {
  return fill(to, 0, value, count, 1);
}
CUDA_CALL cuMemsetD8Async(device_pointer to, std::uint8_t value, std::size_t count, void*) {
  return fill(to, 0, value, count, 1);
}
CUDA_CALL cuMemsetD16Async(device_pointer to, std::uint16_t value, std::size_t count, void*) {
  return fill(to, 0, value, count, 1);
}
CUDA_CALL cuMemsetD32Async(device_pointer to, std::uint32_t value, std::size_t count, void*) {
  return fill(to, 0, value, count, 1);
}
CUDA_CALL cuMemsetD2D8_v2(device_pointer to, std::size_t pitch, std::uint8_t value,
                          std::size_t width, std::size_t height) {
  return fill(to, pitch, value, width, height);
}
CUDA_CALL cuMemsetD2D32_v2(device_pointer to, std::size_t pitch, std::uint32_t value,
                           std::size_t width, std::size_t height) {
  return fill(to, pitch, value, width, height);
}
CUDA_CALL cuMemsetD2D8Async(device_pointer to, std::size_t pitch, std::uint8_t value,
                            std::size_t width, std::size_t height, void*) {
  return fill(to, pitch, value, width, height);
}
CUDA_CALL cuMemsetD2D32Async(device_pointer to, std::size_t pitch, std::uint32_t value,
                             std::size_t width, std::size_t height, void*) {
  return fill(to, pitch, value, width, height);
}

// There is one memory, so calls about the place of managed memory do nothing.
CUDA_CALL cuMemPrefetchAsync(device_pointer, std::size_t, int, void*) { return success; }
CUDA_CALL cuMemPrefetchAsync_v2(device_pointer, std::size_t, std::uint64_t, unsigned, void*) {
  return success;
}
CUDA_CALL cuMemAdvise(device_pointer, std::size_t, int, int) { return success; }
CUDA_CALL cuMemAdvise_v2(device_pointer, std::size_t, int, std::uint64_t) { return success; }
CUDA_CALL cuStreamAttachMemAsync(void*, device_pointer, std::size_t, unsigned) { return success; }

CUDA_CALL cuDeviceGetDefaultMemPool(void** pool, int) {
  if (pool == nullptr) return invalid_value;
  *pool = only_context();
  return success;
}
CUDA_CALL cuDeviceGetMemPool(void** pool, int device) {
  return cuDeviceGetDefaultMemPool(pool, device);
}
CUDA_CALL cuMemPoolSetAttribute(void*, int, void*) { return success; }
CUDA_CALL cuMemPoolTrimTo(void*, std::size_t) { return success; }
