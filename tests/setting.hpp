// What a test is asked for in the environment: other generated programs, and more of them.
#pragma once

#include <cstdlib>

namespace test {

/// The number that the variable has; `otherwise`, where there is none.
inline unsigned long setting(const char* name, unsigned long otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoul(value, nullptr, 10);
}

}  // namespace test
