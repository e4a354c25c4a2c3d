// Types in LLVM's text.
#pragma once

#include <charconv>
#include <map>
#include <string_view>

namespace simt::detail {

/// The bits that a value of the type has in memory. 0: the type is not known.
inline unsigned bits_of(std::string_view type) {
  static const std::map<std::string_view, unsigned> named = {
      {"ptr", 64}, {"float", 32}, {"double", 64}, {"half", 16}, {"bfloat", 16}, {"fp128", 128}};
  if (const auto found = named.find(type); found != named.end()) return found->second;
  unsigned n = 0;
  if (type.starts_with("i")) {
    std::from_chars(type.data() + 1, type.data() + type.size(), n);
    return n == 1 ? 8 : n;
  }
  if (type.starts_with("<") && type.ends_with(">")) {  // <n x type>
    const auto at = type.find(" x ");
    if (at == std::string_view::npos) return 0;
    std::from_chars(type.data() + 1, type.data() + at, n);
    return n * bits_of(type.substr(at + 3, type.size() - at - 4));
  }
  return 0;
}

/// Whether instrumentation reports loads and stores of the type.
inline bool is_seen(std::string_view type) {
  const unsigned bits = bits_of(type);
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
}

}  // namespace simt::detail
