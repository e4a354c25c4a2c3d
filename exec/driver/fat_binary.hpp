// Finds the PTX in what a program hands to the driver: text, or a fat binary that nvcc has made.
#pragma once

#include <string>

#include "exec/driver/cuda.hpp"

namespace warpcheck::driver {

struct found_ptx {
  error code = success;
  std::string text;
  std::string message;  // what is wrong with it, and the remedy
};

/// The PTX of an image. If there are several, the one for the newest GPU up to sm_90. `image` is
/// text, a fat binary, or the runtime's wrapper of one.
found_ptx ptx_in(const void* image);

}  // namespace warpcheck::driver
