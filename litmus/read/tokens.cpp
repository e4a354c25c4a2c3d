// Skips titles and comments, and cuts the rest of the text into tokens.
#include "litmus/read/tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "litmus/program.hpp"

namespace litmus {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Longer signs come first.
constexpr std::array<std::string_view, 23> signs{"/\\", "\\/", "==", "!=", "<=", ">=", "=", "<",
                                                 ">",   "~",   "(",  ")",  "[",  "]",  "{", "}",
                                                 ";",   "|",   ",",  ":",  "@",  "!",  "-"};

std::string visible(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte < 0x7f ? fmt::format("\"{}\"", c) : fmt::format("byte 0x{:02x}", byte);
}

/// The offset behind the comment that begins at `at`.
std::size_t end_of_comment(const source& from, std::size_t at) {
  const std::size_t end = from.text.find("*)", at + 2);
  if (end == std::string_view::npos) {
    from.fail_at(at, "a comment begins here and has no end; write *) behind it");
  }
  return end + 2;
}

bool comment_at(const source& from, std::size_t at) { return from.text.substr(at, 2) == "(*"; }

}  // namespace

token source::place(std::size_t offset) const {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  token at;
  at.text = text.substr(before.size(), 0);
  at.line = static_cast<std::uint32_t>(1 + std::count(before.begin(), before.end(), '\n'));
  const std::size_t newline = before.rfind('\n');
  at.column = static_cast<std::uint32_t>(
      newline == std::string_view::npos ? before.size() + 1 : before.size() - newline);
  return at;
}

void source::fail(const token& at, std::string_view what_and_remedy) const {
  throw syntax_error(fmt::format("{}:{}:{}: {}", file, at.line, at.column, what_and_remedy));
}

void source::fail_at(std::size_t offset, std::string_view what_and_remedy) const {
  fail(place(offset), what_and_remedy);
}

std::size_t end_of_title(const source& from) {
  std::size_t at = from.text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  while (at < from.text.size()) {
    if (comment_at(from, at)) {
      at = end_of_comment(from, at);
    } else if (is_blank(from.text[at])) {
      ++at;
    } else {
      break;
    }
  }
  const bool ptx = from.text.substr(at, 3) == "PTX" &&
                   (at + 3 == from.text.size() || !is_letter(from.text[at + 3]));
  if (!ptx) from.fail_at(at, "a litmus test begins with the word PTX; write PTX and a title");
  for (at += 3; at < from.text.size(); ++at) {
    if (comment_at(from, at)) {
      at = end_of_comment(from, at) - 1;
    } else if (from.text[at] == '"') {
      // A quote that is never closed is just a sign in the title.
      const std::size_t closing = from.text.find('"', at + 1);
      if (closing != std::string_view::npos) at = closing;
    } else if (from.text[at] == '{') {
      return at;
    }
  }
  from.fail_at(from.text.size(),
               "there is no { }; put the initial values between them, or nothing");
}

std::vector<token> tokens(const source& from, std::size_t offset) {
  std::vector<token> all;
  const std::string_view text = from.text;
  // Lines are counted on the way: place() for each token would take quadratic time.
  token here = from.place(offset);
  const auto skip = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i, ++offset) {
      if (text[offset] == '\n') {
        ++here.line;
        here.column = 1;
      } else {
        ++here.column;
      }
    }
  };
  const auto take = [&](token::kind what, std::size_t size) {
    here.what = what;
    here.text = text.substr(offset, size);
    all.push_back(here);
    skip(size);
  };
  while (offset < text.size()) {
    const char c = text[offset];
    if (is_blank(c)) {
      skip(1);
    } else if (comment_at(from, offset)) {
      skip(end_of_comment(from, offset) - offset);
    } else if (is_letter(c)) {
      std::size_t end = offset + 1;
      while (end < text.size() &&
             (is_letter(text[end]) || is_digit(text[end]) || text[end] == '.')) {
        ++end;
      }
      take(token::kind::word, end - offset);
    } else if (is_digit(c)) {
      std::size_t end = offset + 1;
      while (end < text.size() && is_digit(text[end])) ++end;
      if (end < text.size() && is_letter(text[end])) {
        from.fail(here,
                  "a number ends in letters; write it in digits, and names with a letter first");
      }
      take(token::kind::integer, end - offset);
    } else {
      const auto* const sign = std::ranges::find_if(
          signs, [&](std::string_view s) { return text.substr(offset, s.size()) == s; });
      if (sign == signs.end()) {
        from.fail(here, fmt::format("{} has no meaning here; remove it, or put it in a comment, "
                                    "(* … *)",
                                    visible(c)));
      }
      take(token::kind::sign, sign->size());
    }
  }
  here.what = token::kind::end;
  here.text = text.substr(text.size());
  all.push_back(here);
  return all;
}

}  // namespace litmus
