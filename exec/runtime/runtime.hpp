// CUDA's runtime over the stand-in for its driver: what its parts share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "exec/driver/calls.hpp"

namespace warpcheck::runtime {

using driver::error;

/// As CUDA's dim3 and uint3 are passed.
struct extent {
  unsigned x, y, z;
};

/// Keeps an error for cudaGetLastError, and gives it back.
error note(error code);
/// The error of the thread's last call that had one.
error& last_error();

/// Makes the context current, as the runtime does by itself.
error begin();

/// The kernel or the variable that a host symbol stands for. Loads its module. Null, 0: there is
/// none, and `code` says why.
void* kernel_of(const void* symbol, error& code);
struct found_variable {
  driver::device_pointer at = 0;
  std::size_t size = 0;
};
found_variable variable_of(const void* symbol, error& code);

inline constexpr auto invalid_symbol = static_cast<error>(13);
inline constexpr auto invalid_function = static_cast<error>(98);

}  // namespace warpcheck::runtime
