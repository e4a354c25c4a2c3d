// Fills each line with as many words as fit.
#include "checker/text/wrapped.hpp"

#include <algorithm>

#include "checker/text/plain_text.hpp"

namespace warpcheck {

std::string wrapped(std::string_view text, std::size_t first, std::size_t rest, std::size_t width) {
  std::string out;
  std::string line(first, ' ');
  bool empty = true;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word(text.substr(at, end - at));
    if (!empty && width_of(line) + 1 + width_of(word) > width) {
      out += line + "\n";
      line = std::string(rest, ' ');
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
    at = end + 1;
  }
  return out + line + "\n";
}

}  // namespace warpcheck
