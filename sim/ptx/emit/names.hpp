// Names of C++ for what PTX names.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace simt::ptx {

/// Hands out identifiers, each once, none of which means something else in a subject.
class name_pool {
 public:
  /// `wanted` made an identifier; with a number behind it where that is taken.
  std::string take(std::string_view wanted);

 private:
  std::set<std::string, std::less<>> taken_;
};

/// What a person calls a variable or function: of `_ZZ4scanPiE5total` "total".
std::string short_name(const std::string& linker_name);
/// As C++ has it: of `_ZZ4scanPiE5total` "scan(int*)::total".
std::string demangled(const std::string& linker_name);

/// A string literal of C++ with that content.
std::string quoted_text(std::string_view text);

}  // namespace simt::ptx
