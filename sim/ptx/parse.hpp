// Reads PTX text of versions 6 to 9.
//
// The parser is written by hand. The grammar is small, and no parser library gives both places for
// mistakes and limits that no text can exceed. What has no meaning for a run is skipped: comments,
// .pragma, debug sections. Unknown instructions are kept; unsupported() lists them.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sim/ptx/module.hpp"

namespace simt::ptx {

/// The text is no PTX. what() says what was expected there.
class ptx_error : public std::runtime_error {
 public:
  ptx_error(std::uint32_t at_line, std::uint32_t at_column, const std::string& message)
      : std::runtime_error(message), line(at_line), column(at_column) {}
  std::uint32_t line;    // from 1
  std::uint32_t column;  // from 1
};

/// Throws ptx_error. No text makes the parser run without end, or need more than some 200 times the
/// text's size in memory.
[[nodiscard]] module parse(std::string_view text);

}  // namespace simt::ptx
