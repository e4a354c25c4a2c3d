// Standard output that cannot be written: it is closed, its disk is full, or nobody reads it any
// more.
#pragma once

#include <stdexcept>
#include <system_error>

namespace warpcheck {

class output_error : public std::runtime_error {
 public:
  explicit output_error(const std::error_code& why);
};

/// Before anything else is done. Throws output_error where standard output is closed. What cannot
/// be written is told by functions from then on, not by signals. Files that are opened later do not
/// get the numbers of standard files that are closed.
void prepare_standard_files();

/// Throws output_error where not all that was printed could be written.
void flush_output();

}  // namespace warpcheck
