// What a lane prints with simt::printf.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace simt {

struct lane_context;

struct printed_line {
  std::string text;      // without the newline at its end; other control characters are escaped
  std::uint64_t pc = 0;  // return address of the call
  /// Pointers to print, from left to right: the position in `text`, and the value.
  std::vector<std::pair<std::size_t, std::uint64_t>> pointers;
  bool given = true;  // false: the line depends on what the lane was not given
};

/// Formats the line that the lane has handed over, as CUDA's printf does. Reads only strings of the
/// program and of the lane.
printed_line format_line(const lane_context& lane);

}  // namespace simt
