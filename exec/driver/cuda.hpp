// The part of CUDA's driver API that the stand-in has: types and numbers as NVIDIA's reference
// gives them. So building it does not need the toolkit's own header.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpcheck::driver {

enum error : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  deinitialized = 4,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  no_binary_for_gpu = 209,
  invalid_ptx = 218,
  file_not_found = 301,
  invalid_handle = 400,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  peer_access_already_enabled = 704,
  peer_access_not_enabled = 705,
  assert_failed = 710,
  host_memory_already_registered = 712,
  host_memory_not_registered = 713,
  launch_failed = 719,
  cooperative_launch_too_large = 720,
  not_permitted = 800,
  not_supported = 801,
  unknown_error = 999,
};

using device_pointer = std::uint64_t;

/// One box of memory in cuMemcpy2D and cuMemcpy3D.
enum memory_type : unsigned { in_host_memory = 1, in_device_memory = 2, in_array = 3 };

struct copy_2d {
  std::size_t src_x, src_y;
  unsigned src_type;
  const void* src_host;
  device_pointer src_device;
  void* src_array;
  std::size_t src_pitch;
  std::size_t dst_x, dst_y;
  unsigned dst_type;
  void* dst_host;
  device_pointer dst_device;
  void* dst_array;
  std::size_t dst_pitch;
  std::size_t width, height;
};

struct copy_3d {
  std::size_t src_x, src_y, src_z, src_lod;
  unsigned src_type;
  const void* src_host;
  device_pointer src_device;
  void* src_array;
  void* reserved_0;
  std::size_t src_pitch, src_height;
  std::size_t dst_x, dst_y, dst_z, dst_lod;
  unsigned dst_type;
  void* dst_host;
  device_pointer dst_device;
  void* dst_array;
  void* reserved_1;
  std::size_t dst_pitch, dst_height;
  std::size_t width, height, depth;
};

struct launch_attribute {
  unsigned id;
  char padding[4];
  union {
    char bytes[64];
    int number;
    unsigned extent[3];
  } value;
};

inline constexpr unsigned attribute_ignored = 0;
inline constexpr unsigned attribute_cooperative = 2;
inline constexpr unsigned attribute_cluster_dimension = 4;

struct launch_config {
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_bytes;
  void* stream;
  launch_attribute* attributes;
  unsigned attribute_count;
};

struct uuid {
  unsigned char bytes[16];
};

}  // namespace warpcheck::driver

/// Stands in front of each function of the driver API.
#define CUDA_CALL extern "C" [[gnu::visibility("default")]] warpcheck::driver::error
