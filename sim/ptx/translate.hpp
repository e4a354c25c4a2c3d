// From a kernel and its launch to a subject: a C++ header for the same pipeline as any other.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "sim/ptx/launch.hpp"
#include "sim/ptx/module.hpp"

namespace simt::ptx {

/// A launch does not fit its kernel: what() says how, and what to do.
class launch_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The text of a header with the subject `kernel_subject`, for the workload `kernel`. The scenario
/// has `source = "that header"` and in [grid] as many blocks as the launch, of warps of 32 lanes
/// each (the last may have fewer). Throws launch_error; std::invalid_argument if unsupported() is
/// not empty.
[[nodiscard]] std::string to_subject(const module& m, const kernel& k, const launch& l);

/// The name that a buffer has in reports: its own, made an identifier that nothing else has.
[[nodiscard]] std::vector<std::string> buffer_names(const module& m, const launch& l);

}  // namespace simt::ptx
