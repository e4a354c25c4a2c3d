// Breaks text into lines of a limited width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpcheck {

/// Breaks text at spaces into lines of at most `width` columns, each with a line end. The first
/// line begins in column `first`, the others in column `rest`.
std::string wrapped(std::string_view text, std::size_t first, std::size_t rest, std::size_t width);

/// Breaks the lines of a text that are wider than `width` columns at spaces. What follows a break
/// is placed below the last column of its line: columns have two spaces or more between them. If
/// there is little room below it, it is indented by four more columns than its line.
std::string fitted(std::string_view text, std::size_t width);

}  // namespace warpcheck
