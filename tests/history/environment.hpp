// Sizes and seeds from outside.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace naive_history {

inline std::uint64_t environment(const char* name, std::uint64_t preset) {
  const char* const text = std::getenv(name);
  return text == nullptr ? preset : std::strtoull(text, nullptr, 10);
}

}  // namespace naive_history
