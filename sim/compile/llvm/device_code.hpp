// The lines of device code in LLVM's text, and their places in the source.
#pragma once

#include <cstddef>
#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace simt::detail {

/// A place in the source. Empty and 0: not known.
struct source_place {
  std::string file;  // its path
  unsigned line = 0;

  bool operator==(const source_place&) const = default;
  [[nodiscard]] std::string text() const { return file + ":" + std::to_string(line); }
};

/// The places of the lines of device code for which `is_meant` returns true, at most `most`.
/// `is_meant` is also called for the first line of each function ("define ..."). A line that was
/// inlined from a header of the API or of the system counts for the author's line that calls it.
std::vector<source_place> places_in_device_code(
    std::istream& module, const std::function<bool(std::string_view line)>& is_meant,
    std::size_t most);

}  // namespace simt::detail
