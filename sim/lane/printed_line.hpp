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
  /// Pointers that it has: where in `text` each is to stand, and its value; from left to right.
  std::vector<std::pair<std::size_t, std::uint64_t>> pointers;
  bool given = true;  // false: it depends on what nobody gave to the lane
};

/// Formats what the lane has handed over, as CUDA's printf does. Reads strings of the program and
/// of the lane alone.
printed_line format_line(const lane_context& lane);

}  // namespace simt
