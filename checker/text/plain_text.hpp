// Measures and writes numbers and columns in text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpcheck {

/// Returns the columns that text takes on a terminal, for the characters that reports use.
std::size_t width_of(std::string_view text);
std::string padded(std::string_view text, std::size_t width);

/// Returns "1,234,567".
std::string grouped(std::uint64_t number);
/// Returns "1 step" or "2 steps".
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

}  // namespace warpcheck
