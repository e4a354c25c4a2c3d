// Decodes UTF-8 and replaces the characters that XML does not allow.
#include "checker/text/xml_text.hpp"

#include <boost/nowide/utf/utf.hpp>
#include <iterator>

namespace warpcheck {

namespace {

namespace utf = boost::nowide::utf;

bool is_char(utf::code_point c) {
  if (c == utf::illegal || c == utf::incomplete) return false;
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c != 0xFFFE && c != 0xFFFF;  // the decoder never returns surrogates
}

}  // namespace

std::string xml_text(std::string_view text) {
  constexpr utf::code_point replacement = 0xFFFD;
  std::string out;
  for (auto at = text.begin(); at != text.end();) {
    const utf::code_point c = utf::utf_traits<char>::decode(at, text.end());
    utf::utf_traits<char>::encode(is_char(c) ? c : replacement, std::back_inserter(out));
  }
  return out;
}

}  // namespace warpcheck
