// What a scenario says about a subject's device arrays.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace simt {

struct array_setup {
  std::uint64_t elements = 0;
  /// The elements' values before the subject's constructor runs, one for each element. Empty:
  /// zeros.
  std::vector<std::int64_t> values;

  friend bool operator==(const array_setup&, const array_setup&) = default;
};

/// By the names of the arrays.
using array_setups = std::map<std::string, array_setup>;

}  // namespace simt
