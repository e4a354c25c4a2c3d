// Start values of device arrays, for the simulator and the GPU runner. Host code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <simt/detail/types.hpp>

namespace simt::detail {

/// Whether an integer of `size` bytes, 1 to 8, can be `value`.
constexpr bool element_holds(element_kind kind, std::size_t size, std::int64_t value) {
  if (kind == element_kind::other || size > 8) return false;
  if (kind == element_kind::unsigned_integer) {
    return value >= 0 && (size == 8 || (value >> (8 * size)) == 0);
  }
  if (size == 8) return true;
  const std::int64_t limit = std::int64_t{1} << (8 * size - 1);
  return value >= -limit && value < limit;
}

/// Hosts and devices are little-endian: the low bytes come first.
inline void set_element(void* element, std::size_t size, std::int64_t value) {
  std::memcpy(element, &value, size);
}

}  // namespace simt::detail
