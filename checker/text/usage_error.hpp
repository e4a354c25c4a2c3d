// The error for a mistake of the user.
#pragma once

#include <stdexcept>

namespace warpcheck {

/// A mistake of the user. The message says where, what, and what to do. Exit status 2.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace warpcheck
