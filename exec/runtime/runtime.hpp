// CUDA's runtime over the stand-in for its driver: what the files of this folder share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "exec/driver/calls.hpp"

namespace warpcheck::runtime {

using driver::error;

/// CUDA passes dim3 and uint3 like this.
struct extent {
  unsigned x, y, z;
};

/// Keeps the error for cudaGetLastError, and returns it.
error note(error code);
/// The last error that a call of this thread had.
error& last_error();

/// Makes the context current, as the runtime does by itself.
error begin();

/// The kernel or variable that a host symbol stands for. Loads its module. Null or 0: there is
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
