// The error for what the user did wrong.
#pragma once

#include <stdexcept>

namespace warpcheck {

/// A mistake of the user's: says where, what, and what to do. Exit status 2.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace warpcheck
