// Packs lists of numbers into bytes, one number after the other, for saved searches.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

namespace warpcheck {

template <class Number>
std::vector<std::uint8_t> packed(std::span<const Number> numbers) {
  std::vector<std::uint8_t> all(numbers.size_bytes());
  if (!all.empty()) std::memcpy(all.data(), numbers.data(), all.size());
  return all;
}

/// Throws std::runtime_error if a number is cut off.
template <class Number>
std::vector<Number> unpacked(std::span<const std::uint8_t> all) {
  if (all.size() % sizeof(Number) != 0) throw std::runtime_error("a list of numbers is cut off");
  std::vector<Number> numbers(all.size() / sizeof(Number));
  if (!all.empty()) std::memcpy(numbers.data(), all.data(), all.size());
  return numbers;
}

}  // namespace warpcheck
