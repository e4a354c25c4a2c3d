// What a scenario says of a subject's device arrays.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace simt {

struct array_setup {
  std::uint64_t elements = 0;
  /// What the elements hold before the subject's constructor runs; empty: zeros. Otherwise one
  /// value for each element.
  std::vector<std::int64_t> values;

  friend bool operator==(const array_setup&, const array_setup&) = default;
};

/// By the arrays' names.
using array_setups = std::map<std::string, array_setup>;

}  // namespace simt
