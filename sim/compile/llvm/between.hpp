// Takes lines of LLVM's text apart.
#pragma once

#include <string_view>

namespace simt::detail {

/// What stands between the first `begin` and the next `end`, or the end of the text. Empty: there
/// is no `begin`.
inline std::string_view between(std::string_view text, std::string_view begin,
                                std::string_view end) {
  const std::size_t from = text.find(begin);
  if (from == std::string_view::npos) return {};
  text.remove_prefix(from + begin.size());
  return text.substr(0, text.find(end));
}

}  // namespace simt::detail
