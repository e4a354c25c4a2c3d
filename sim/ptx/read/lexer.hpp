// The tokens of PTX text, one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace simt::ptx {

struct token {
  enum class kind : std::uint8_t {
    end,
    name,    // ld  %r1  $L_2  _
    dotted,  // .global  .x  .shared::cta: text is without the dot
    number,  // 12  0x1F  0f3F800000  1.5  12U
    string,  // text is without the quotation marks, escapes as they stand
    mark,    // one character; `@@` is two
  };
  kind what = kind::end;
  std::string_view text;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::size_t begin = 0, finish = 0;  // in the text

  [[nodiscard]] bool is(char c) const {
    return what == kind::mark && text.size() == 1 && text[0] == c;
  }
  [[nodiscard]] bool is_dotted(std::string_view name) const {
    return what == kind::dotted && text == name;
  }
  [[nodiscard]] bool is_name(std::string_view name) const {
    return what == kind::name && text == name;
  }
};

class lexer {
 public:
  explicit lexer(std::string_view text) : text_(text) { ahead_ = read(); }

  [[nodiscard]] const token& peek() const { return ahead_; }
  token take();
  /// The token behind the next one, which stays where it is.
  [[nodiscard]] token second() const;
  [[nodiscard]] std::string_view text() const { return text_; }
  /// Goes on behind the end of this line.
  void skip_line();
  [[noreturn]] void fail(const token& at, const std::string& message) const;

 private:
  token read();
  void skip_space();
  [[nodiscard]] char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  std::string_view text_;
  std::size_t next_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_begin_ = 0;
  token ahead_;
};

/// The text on one line, with single spaces, at most `longest` bytes.
std::string on_one_line(std::string_view text, std::size_t longest = 240);

}  // namespace simt::ptx
