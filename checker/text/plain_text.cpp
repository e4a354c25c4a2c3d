// Counts columns of UTF-8 text, and writes numbers with their nouns.
#include "checker/text/plain_text.hpp"

#include <fmt/format.h>

namespace warpcheck {

std::size_t width_of(std::string_view text) {
  std::size_t columns = 0;
  for (const char c : text) columns += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  return columns;
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t used = width_of(text);
  return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(number), number == 1 ? one : many);
}

}  // namespace warpcheck
