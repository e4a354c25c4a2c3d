// Makes text that JSON documents can hold.
#pragma once

#include <boost/nowide/utf/utf.hpp>
#include <string_view>

namespace warpcheck {

inline bool is_utf8(std::string_view text) {
  namespace utf = boost::nowide::utf;
  for (auto at = text.begin(); at != text.end();) {
    const utf::code_point c = utf::utf_traits<char>::decode(at, text.end());
    if (c == utf::illegal || c == utf::incomplete) return false;
  }
  return true;
}

}  // namespace warpcheck
