// Assertions of device code.
#pragma once

#include <simt/detail/backend.hpp>

namespace simt {

/// Where `condition` does not hold, the run ends with the verdict `assertion` and this message (a
/// string literal). On a GPU the message is left for the host and the thread exits.
SIMT_FN void check(bool condition, const char* message) {
  if (!condition) detail::fail(message);
}

}  // namespace simt
