// Cuts PTX text into tokens, and skips comments.
#include "sim/ptx/read/lexer.hpp"

#include <algorithm>

#include "sim/ptx/parse.hpp"

namespace simt::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool begins_name(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }
bool goes_on(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; }

}  // namespace

token lexer::take() {
  const token taken = ahead_;
  ahead_ = read();
  return taken;
}

token lexer::second() const {
  lexer copy = *this;
  return copy.read();
}

void lexer::skip_line() {
  next_ = std::min(text_.find('\n', ahead_.begin), text_.size());
  line_ = ahead_.line;
  ahead_ = read();
}

void lexer::fail(const token& at, const std::string& message) const {
  throw ptx_error(at.line, at.column, message);
}

void lexer::skip_space() {
  while (next_ < text_.size()) {
    const char c = text_[next_];
    if (c == '\n') {
      ++line_;
      line_begin_ = next_ + 1;
    }
    if (is_blank(c)) {
      ++next_;
    } else if (c == '/' && at(next_ + 1) == '/') {
      next_ = std::min(text_.find('\n', next_), text_.size());
    } else if (c == '/' && at(next_ + 1) == '*') {
      const std::size_t end = text_.find("*/", next_ + 2);
      if (end == std::string_view::npos) {
        throw ptx_error(line_, static_cast<std::uint32_t>(next_ - line_begin_ + 1),
                        "a comment has no end: */ is missing");
      }
      for (; next_ < end + 2; ++next_) {
        if (text_[next_] != '\n') continue;
        ++line_;
        line_begin_ = next_ + 1;
      }
    } else {
      return;
    }
  }
}

token lexer::read() {
  skip_space();
  token found;
  found.line = line_;
  found.column = static_cast<std::uint32_t>(next_ - line_begin_ + 1);
  found.begin = next_;
  const char c = at(next_);
  std::size_t from = next_;
  if (next_ >= text_.size()) {
    found.what = token::kind::end;
  } else if (begins_name(c)) {
    found.what = token::kind::name;
    do ++next_;
    while (goes_on(at(next_)));
  } else if (c == '.' && (goes_on(at(next_ + 1)))) {
    found.what = token::kind::dotted;
    from = ++next_;
    while (goes_on(at(next_)) ||
           (at(next_) == ':' && at(next_ + 1) == ':' && goes_on(at(next_ + 2))))
      next_ += at(next_) == ':' ? 2 : 1;
  } else if (is_digit(c)) {
    found.what = token::kind::number;
    while (is_letter(at(next_)) || is_digit(at(next_)) ||
           (at(next_) == '.' && is_digit(at(next_ + 1))) ||
           ((at(next_) == '-' || at(next_) == '+') &&
            (at(next_ - 1) == 'e' || at(next_ - 1) == 'E') && at(from + 1) != 'x' &&
            is_digit(at(next_ + 1))))
      ++next_;
  } else if (c == '"') {
    found.what = token::kind::string;
    from = ++next_;
    while (next_ < text_.size() && text_[next_] != '"' && text_[next_] != '\n') {
      next_ += text_[next_] == '\\' && at(next_ + 1) != '\n' ? 2 : 1;
    }
    next_ = std::min(next_, text_.size());
    if (at(next_) != '"') fail(found, "a string has no end: \" is missing");
    found.text = text_.substr(from, next_ - from);
    found.finish = ++next_;
    return found;
  } else {
    found.what = token::kind::mark;
    next_ += c == '@' && at(next_ + 1) == '@' ? 2 : 1;
  }
  found.text = text_.substr(from, next_ - from);
  found.finish = next_;
  return found;
}

std::string on_one_line(std::string_view text, std::size_t longest) {
  std::string line;
  bool gap = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      i = std::min(text.find('\n', i), text.size());
      gap = true;
      continue;
    }
    if (is_blank(text[i])) {
      gap = true;
      continue;
    }
    if (gap && !line.empty()) line += ' ';
    gap = false;
    if (line.size() >= longest) return line + "...";
    line += text[i];
  }
  return line;
}

}  // namespace simt::ptx
