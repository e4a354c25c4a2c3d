// Formats what a lane prints, without running its code.
#include "sim/lane/printed_line.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "sim/lane/lane_context.hpp"
#include "sim/subject/subject.hpp"

namespace simt {
namespace {

constexpr std::size_t longest_line = 400;    // bytes
constexpr std::size_t longest_string = 400;  // bytes to read of a string

/// Reads the string at the address, as far as it may be read. Nothing: it may not be read at all.
std::optional<std::string> string_at(const lane_context& lane, std::uint64_t address) {
  std::string text;
  while (text.size() < longest_string) {
    const std::uint64_t at = address + text.size();
    const bool is_own = at >= lane.stack_begin && at < lane.stack_end;
    if (!is_own && !lane.library->is_constant(at, 1)) {
      return text.empty() ? std::nullopt : std::optional(text);
    }
    const char c = *reinterpret_cast<const char*>(at);
    if (c == '\0') break;
    text += c;
  }
  return text;
}

class formatter {
 public:
  explicit formatter(const lane_context& lane) : lane_(lane) {}

  printed_line format() {
    line_.pc = lane_.line_pc;
    const auto format = string_at(lane_, reinterpret_cast<std::uint64_t>(lane_.line));
    rest_ = format ? std::string_view(*format) : "(a format in device memory)";
    while (!rest_.empty()) {
      if (rest_.front() != '%') {
        add(rest_.substr(0, 1));
        rest_.remove_prefix(1);
      } else {
        conversion();
      }
    }
    if (line_.text.ends_with("\\n")) line_.text.erase(line_.text.size() - 2);
    if (line_.text.size() > longest_line) {
      line_.text.resize(longest_line);
      line_.text += "…";
      std::erase_if(line_.pointers, [](const auto& p) { return p.first > longest_line; });
    }
    return std::move(line_);
  }

 private:
  const lane_context& lane_;
  printed_line line_;
  std::string_view rest_;
  std::size_t used_ = 0;  // the number of values used

  void add(std::string_view text) {
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '\n') {
        line_.text += "\\n";
      } else if (byte < 0x20 || byte == 0x7f) {
        line_.text += c == '\t' ? " " : fmt::format("\\x{:02x}", byte);
      } else {
        line_.text += c;
      }
    }
  }

  std::uint64_t value() { return used_ < lane_.line_length ? lane_.line_values[used_++] : 0; }

  char take() {
    if (rest_.empty()) return '\0';
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  [[nodiscard]] bool is_next(std::string_view any) const {
    return !rest_.empty() && any.find(rest_.front()) != std::string_view::npos;
  }
  // Reads a width or a precision.
  void number(std::string& spec) {
    if (is_next("*")) {
      take();
      spec += fmt::format("{}", static_cast<int>(value()));
    }
    for (int digits = 0; is_next("0123456789"); ++digits) {
      const char digit = take();
      if (digits < 3) spec += digit;
    }
  }

  // Reads a conversion: "%", flags, width, precision, size, kind.
  void conversion() {
    std::string spec(1, take());
    while (is_next("-+ #0")) spec += take();
    number(spec);
    if (is_next(".")) {
      spec += take();
      number(spec);
    }
    int bytes = 4;
    int shorts = 0;
    while (is_next("hlqjzt")) {
      if (take() == 'h') {
        bytes = ++shorts == 1 ? 2 : 1;
      } else {
        bytes = 8;
      }
    }
    const char kind = take();
    switch (kind) {
      case '%': return add("%");
      case 'd':
      case 'i': return print(spec + "ll" + kind, signed_of(value(), bytes));
      case 'u':
      case 'o':
      case 'x':
      case 'X': return print(spec + "ll" + kind, unsigned_of(value(), bytes));
      case 'c': return print(spec + kind, static_cast<int>(value()));
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A': return print(spec + kind, std::bit_cast<double>(value()));
      case 's': {
        const std::uint64_t where = value();
        if (where == 0) return add("(null)");
        const auto text = string_at(lane_, where);
        return text ? print(spec + kind, text->c_str())
                    : add("(a string that is neither the program's nor the lane's own)");
      }
      case 'p': line_.pointers.emplace_back(line_.text.size(), value()); return;
      case '\0': return add(spec);
      default: return add(spec + kind);  // as CUDA's printf does
    }
  }

  static long long signed_of(std::uint64_t value, int bytes) {
    const int unused = 64 - 8 * bytes;
    return static_cast<std::int64_t>(value << unused) >> unused;
  }
  static unsigned long long unsigned_of(std::uint64_t value, int bytes) {
    const int unused = 64 - 8 * bytes;
    return value << unused >> unused;
  }

  // The format is the author's, and the compiler has checked it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  template <class T>
  void print(const std::string& spec, T value) {
    std::string text(longest_line + 1, '\0');
    const int size = std::snprintf(text.data(), text.size(), spec.c_str(), value);
    text.resize(
        std::clamp<std::size_t>(size < 0 ? 0 : static_cast<std::size_t>(size), 0, longest_line));
    add(text);
  }
#pragma GCC diagnostic pop
};

}  // namespace

printed_line format_line(const lane_context& lane) { return formatter(lane).format(); }

}  // namespace simt
