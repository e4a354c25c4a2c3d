// Makes a subject of a kernel and its launch: a C++ header for the usual pipeline.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "sim/ptx/launch.hpp"
#include "sim/ptx/module.hpp"

namespace simt::ptx {

/// A launch does not fit its kernel. what() says how, and what to do.
class launch_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The text of a header with the subject `kernel_subject`, for the workload `kernel`. The scenario
/// has `source = "that header"`, and in [grid] as many blocks as the launch. Each block has warps
/// of 32 lanes; the last warp may have fewer. Throws launch_error. Throws std::invalid_argument if
/// unsupported() is not empty.
[[nodiscard]] std::string to_subject(const module& m, const kernel& k, const launch& l);

/// The names of buffers in reports: each buffer's own, made an identifier that nothing else has.
[[nodiscard]] std::vector<std::string> buffer_names(const module& m, const launch& l);

}  // namespace simt::ptx
