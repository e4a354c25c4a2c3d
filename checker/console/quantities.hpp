// Parses sizes and times as people write them on a command line.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

namespace detail {

struct number_and_unit {
  double number = 0;
  std::string_view unit;
};

inline bool split_quantity(std::string_view text, number_and_unit& result) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] =
      std::from_chars(text.data(), end, result.number, std::chars_format::fixed);
  result.unit = std::string_view(rest, static_cast<std::size_t>(end - rest));
  return error == std::errc() && std::isfinite(result.number) && result.number > 0;
}

}  // namespace detail

/// Returns bytes: "4096", "500M", "4G"; K, M, G and T are powers of 1024. Throws usage_error.
inline std::uint64_t parse_size(std::string_view option, const std::string& text) {
  detail::number_and_unit size;
  const bool well_formed = detail::split_quantity(text, size);
  std::string_view unit = size.unit;
  if (unit.ends_with("iB")) {
    unit.remove_suffix(2);
  } else if (unit.ends_with('B')) {
    unit.remove_suffix(1);
  }
  constexpr std::string_view prefixes = "KMGT";
  // 0: no such letter.
  const std::size_t power = unit.empty() ? 0 : prefixes.find(unit.front()) + 1;
  const double bytes = std::ldexp(size.number, static_cast<int>(10 * power));
  if (!well_formed || unit.size() > 1 || (!unit.empty() && power == 0) || bytes < 1 ||
      bytes >= 0x1p63) {
    throw usage_error(std::string(option) + ": \"" + text +
                      "\" is not a size; write for example 500M or 4G");
  }
  return static_cast<std::uint64_t>(bytes);
}

/// Returns seconds: "90", "1.5s", "2m", "1h". Throws usage_error.
inline double parse_seconds(std::string_view option, const std::string& text) {
  detail::number_and_unit time;
  const bool well_formed = detail::split_quantity(text, time);
  double factor = 0;
  if (time.unit.empty() || time.unit == "s") factor = 1;
  if (time.unit == "m" || time.unit == "min") factor = 60;
  if (time.unit == "h") factor = 3600;
  if (!well_formed || factor == 0 || time.number * factor > 1e9) {
    throw usage_error(std::string(option) + ": \"" + text +
                      "\" is not a time; write for example 90 (seconds) or 2m");
  }
  return time.number * factor;
}

/// Returns a count of at least one: "1000000", or "2M" for two millions. Throws usage_error.
inline std::uint64_t parse_count(std::string_view option, const std::string& text) {
  std::uint64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  std::uint64_t factor = 0;
  if (unit.empty()) factor = 1;
  if (unit == "K" || unit == "k") factor = 1'000;
  if (unit == "M") factor = 1'000'000;
  if (unit == "G") factor = 1'000'000'000;
  if (error != std::errc() || count == 0 || factor == 0 ||
      count > std::numeric_limits<std::uint64_t>::max() / factor) {
    throw usage_error(std::string(option) + ": \"" + text +
                      "\" is not a number of at least 1; write for example 1000000 or 2M");
  }
  return count * factor;
}

/// Returns any number from 0 to 2^64 - 1. Throws usage_error.
inline std::uint64_t parse_seed(std::string_view option, const std::string& text) {
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, seed);
  if (error != std::errc() || rest != end || text.empty()) {
    throw usage_error(std::string(option) + ": \"" + text +
                      "\" is not a number from 0 to 18446744073709551615");
  }
  return seed;
}

}  // namespace warpcheck
