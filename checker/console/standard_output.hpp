// Handles standard output that cannot be written: it is closed, its disk is full, or its reader is
// gone.
#pragma once

#include <stdexcept>
#include <system_error>

namespace warpcheck {

class output_error : public std::runtime_error {
 public:
  explicit output_error(const std::error_code& why);
};

/// Call it before anything else. Throws output_error if standard output is closed. From then on,
/// functions report what cannot be written, not signals. Files that are opened later do not get the
/// numbers of closed standard files.
void prepare_standard_files();

/// Throws output_error if not all that was printed could be written.
void flush_output();

}  // namespace warpcheck
