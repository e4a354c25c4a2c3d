// Splits the text of a litmus test into words, integers and signs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace litmus {

struct token {
  enum class kind : std::uint8_t { word, integer, sign, end };
  kind what = kind::end;
  std::string_view text;  // part of the source
  std::uint32_t line = 1, column = 1;

  [[nodiscard]] bool is(std::string_view sign_or_word) const {
    return what != kind::end && text == sign_or_word;
  }
};

/// A source and its name, for messages.
struct source {
  std::string_view text;
  std::string_view file;

  /// Throws syntax_error: "file:line:column: what_and_remedy".
  [[noreturn]] void fail(const token& at, std::string_view what_and_remedy) const;
  [[noreturn]] void fail_at(std::size_t offset, std::string_view what_and_remedy) const;

  /// An empty token at that offset.
  [[nodiscard]] token place(std::size_t offset) const;
};

/// Where the title ends: the offset of the first `{` outside comments and quotation marks. Throws
/// syntax_error if the text does not begin with PTX, or has no `{`.
std::size_t end_of_title(const source& from);

/// All tokens from `offset` on. The last one is `end`. Words may have dots in them: ld.acquire.gpu.
/// Throws syntax_error at anything that is no token.
std::vector<token> tokens(const source& from, std::size_t offset);

}  // namespace litmus
