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

namespace {

std::string fitted_line(std::string_view line, std::size_t width) {
  constexpr std::size_t least_room = 24;  // columns in which prose can still be read
  const std::size_t indented = std::min(line.find_first_not_of(' '), line.size());
  std::size_t from = indented;
  for (std::size_t at = line.find("  ", indented); at != std::string_view::npos;
       at = line.find("  ", at + 1)) {
    const bool begins = at + 2 < line.size() && line[at + 2] != ' ';
    if (begins && width_of(line.substr(0, at + 2)) + least_room <= width) from = at + 2;
  }
  const std::size_t rest = from == indented ? indented + 4 : width_of(line.substr(0, from));
  std::string out;
  std::string row(line.substr(0, from));
  bool empty = true;
  for (std::size_t at = from; at < line.size();) {
    const std::size_t begin = std::min(line.find_first_not_of(' ', at), line.size());
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    const std::string_view with_gap = line.substr(at, end - at);
    if (!empty && width_of(row) + width_of(with_gap) > width) {
      out += row + "\n";
      row = std::string(rest, ' ');
      row += line.substr(begin, end - begin);
    } else {
      row += with_gap;
    }
    empty = false;
    at = end;
  }
  return out + row + "\n";
}

}  // namespace

std::string fitted(std::string_view text, std::size_t width) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const bool is_whole = end < text.size();
    if (width_of(line) <= width) {
      out += line;
      if (is_whole) out += '\n';
    } else {
      out += fitted_line(line, width);
      if (!is_whole) out.pop_back();
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace warpcheck
