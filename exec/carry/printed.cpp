// What a kernel prints.
#include <bit>
#include <cstdio>
#include <cstring>

#include "exec/carry/grid.hpp"

namespace warpcheck::carry {
namespace {

// The format is the one that the author wrote.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
template <class T>
std::string formatted(const std::string& spec, T value) {
  char text[512];
  const int size = std::snprintf(text, sizeof text, spec.c_str(), value);
  return size > 0 ? std::string(text) : std::string();
}
#pragma GCC diagnostic pop

}  // namespace

std::string printed_text(const char* format, const std::vector<std::uint64_t>& values) {
  std::string text;
  std::size_t used = 0;
  const auto value = [&] { return used < values.size() ? values[used++] : 0; };
  for (const char* at = format; *at != '\0';) {
    if (*at != '%') {
      text += *at++;
      continue;
    }
    std::string spec(1, *at++);
    while (*at != '\0' && std::strchr("-+ #0123456789.*", *at) != nullptr) {
      if (*at == '*') {
        spec += std::to_string(static_cast<int>(value()));
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
      const auto whole = static_cast<long long>(value());
      text += formatted(spec + "lld", is_wide ? whole : static_cast<int>(whole));
    } else if (kind != '\0' && std::strchr("uoxX", kind) != nullptr) {
      const unsigned long long whole = value();
      text += formatted(spec + "ll" + kind, is_wide ? whole : whole & 0xffffffff);
    } else if (kind == 'c') {
      text += formatted(spec + kind, static_cast<int>(value()));
    } else if (kind != '\0' && std::strchr("eEfFgGaA", kind) != nullptr) {
      text += formatted(spec + kind, std::bit_cast<double>(value()));
    } else if (kind == 's') {
      const auto* const string = reinterpret_cast<const char*>(value());
      text += formatted(spec + kind, string == nullptr ? "(null)" : string);
    } else if (kind == 'p') {
      text += formatted(spec + kind, reinterpret_cast<const void*>(value()));
    } else {
      text += spec + kind;
    }
  }
  return text;
}

}  // namespace warpcheck::carry
