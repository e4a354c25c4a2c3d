// Breaks text into lines of a limited width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpcheck {

/// Breaks text at spaces into lines of at most `width` columns, each with a line end. The first
/// line begins in column `first`, the others in column `rest`.
std::string wrapped(std::string_view text, std::size_t first, std::size_t rest, std::size_t width);

}  // namespace warpcheck
