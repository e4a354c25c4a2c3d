// Finds names in C++ for names in PTX.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace simt::ptx {

/// Hands out identifiers, each once, none of which means something else in a subject.
class name_pool {
 public:
  /// `wanted`, made an identifier. If the identifier is taken, a number follows it.
  std::string take(std::string_view wanted);

 private:
  std::set<std::string, std::less<>> taken_;
};

/// The name that a person would use: "total" for `_ZZ4scanPiE5total`.
std::string short_name(const std::string& linker_name);
/// The name in C++: "scan(int*)::total" for `_ZZ4scanPiE5total`.
std::string demangled(const std::string& linker_name);

/// A string literal of C++ with that content.
std::string quoted_text(std::string_view text);

}  // namespace simt::ptx
