// Formats what a kernel prints.
#include <cstdio>
#include <cstring>

#include "exec/carry/grid.hpp"

namespace warpcheck::carry {
namespace {

// The format string is the kernel author's.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
template <class T>
std::string formatted(const std::string& spec, T value) {
  char text[512];
  const int size = std::snprintf(text, sizeof text, spec.c_str(), value);
  return size > 0 ? std::string(text) : std::string();
}
#pragma GCC diagnostic pop

// Takes values one behind the other, each at a multiple of its size.
class value_reader {
 public:
  explicit value_reader(const std::uint8_t* begin) : begin_(begin) {}

  template <class T>
  T take() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, begin_ + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

 private:
  const std::uint8_t* begin_;
  std::size_t at_ = 0;
};

}  // namespace

std::string printed_text(const char* format, const std::uint8_t* values) {
  std::string text;
  value_reader from(values);
  for (const char* at = format; *at != '\0';) {
    if (*at != '%') {
      text += *at++;
      continue;
    }
    std::string spec(1, *at++);
    while (*at != '\0' && std::strchr("-+ #0123456789.*", *at) != nullptr) {
      if (*at == '*') {
        spec += std::to_string(from.take<int>());
        ++at;
      } else {
        spec += *at++;
      }
    }
    bool is_wide = false;
    while (*at != '\0' && std::strchr("hlqjzt", *at) != nullptr) is_wide |= *at++ != 'h';
    const char kind = *at;
    if (kind != '\0') ++at;
    if (kind == '%') {
      text += '%';
    } else if (kind == 'd' || kind == 'i') {
      const long long whole = is_wide ? from.take<long long>() : from.take<int>();
      text += formatted(spec + "lld", whole);
    } else if (kind != '\0' && std::strchr("uoxX", kind) != nullptr) {
      const unsigned long long whole =
          is_wide ? from.take<unsigned long long>() : from.take<unsigned>();
      text += formatted(spec + "ll" + kind, whole);
    } else if (kind == 'c') {
      text += formatted(spec + kind, from.take<int>());
    } else if (kind != '\0' && std::strchr("eEfFgGaA", kind) != nullptr) {
      text += formatted(spec + kind, from.take<double>());
    } else if (kind == 's') {
      const auto* const string = from.take<const char*>();
      text += formatted(spec + kind, string == nullptr ? "(null)" : string);
    } else if (kind == 'p') {
      text += formatted(spec + kind, from.take<const void*>());
    } else {
      text += spec + kind;
    }
  }
  return text;
}

}  // namespace warpcheck::carry
