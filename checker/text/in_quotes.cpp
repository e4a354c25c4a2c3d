// Escapes control characters and bytes that are not UTF-8.
#include "checker/text/in_quotes.hpp"

#include <boost/nowide/utf/utf.hpp>

#include <fmt/format.h>

namespace warpcheck {
namespace {

bool is_control(std::uint32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

std::string as_hexadecimal(char c) {
  return fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      result += as_hexadecimal(c);
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result + '"';
}

std::string visible(std::string_view text) {
  namespace utf = boost::nowide::utf;
  std::string result;
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = at;
    const utf::code_point c = utf::utf_traits<char>::decode(at, text.end());
    if (c == '\n') {
      result += "\\n";
    } else if (c == utf::illegal || c == utf::incomplete || is_control(c)) {
      for (auto byte = begin; byte != at; ++byte) result += as_hexadecimal(*byte);
    } else {
      result.append(begin, at);
    }
  }
  return result;
}

}  // namespace warpcheck
