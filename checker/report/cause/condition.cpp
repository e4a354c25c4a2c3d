// Tries values on a lane that spins: usual numbers, constants, neighbours of bounds, and bit
// patterns.
#include "checker/report/cause/condition.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <simt/detail/mbarrier_word.hpp>

namespace warpcheck {
namespace {

// Limits on the values that are tried.
constexpr std::size_t most_combined = 16;  // constants whose pairs are tried
constexpr std::size_t most_shifted = 8;    // constants whose multiples are tried
constexpr std::size_t most_changes = 8;    // bounds that are searched for
constexpr int most_patterns = 3;           // of values that leave, and of values that stay

// Returns scattered numbers, equal in each run of the program.
std::uint64_t scattered(std::uint64_t number) {
  number = (number + 1) * 0x9e3779b97f4a7c15U;
  number = (number ^ number >> 30U) * 0xbf58476d1ce4e5b9U;
  return number ^ number >> 27U;
}

bool is_nan(std::uint64_t bits, std::uint8_t size) {
  if (size == 4) return (bits & 0x7fff'ffffU) > 0x7f80'0000U;
  return size == 8 && (bits & ~std::uint64_t{0} >> 1U) > 0x7ff0'0000'0000'0000U;
}

std::uint64_t bits_of_real(double value, std::uint8_t size) {
  return size == 4 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                   : std::bit_cast<std::uint64_t>(value);
}

}  // namespace

std::uint64_t condition::all_bits() const {
  return size >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << size * 8U) - 1;
}

std::uint64_t condition::rank(std::uint64_t value) const {
  if (type == kind::signed_integer) return value ^ sign();
  if (type == kind::real) return (value & sign()) != 0 ? ~value & all_bits() : value ^ sign();
  return value;
}

std::uint64_t condition::of_rank(std::uint64_t number) const {
  if (type == kind::real) return (number & sign()) != 0 ? number ^ sign() : ~number & all_bits();
  return rank(number);
}

std::optional<bool> condition::try_one(std::uint64_t value) {
  value &= all_bits();
  if (type == kind::boolean && value > 1) return std::nullopt;
  if (type == kind::mbarrier && !simt::detail::mbarrier_is_live(value)) return std::nullopt;
  if (type == kind::real && is_nan(value, size)) return std::nullopt;
  if (leaves.contains(value)) return true;
  if (stays.contains(value)) return false;
  const auto out = gets_out_(value);
  if (out) (*out ? leaves : stays).insert(value);
  return out;
}

bool condition::lets_go(std::uint64_t value) { return try_one(value).value_or(false); }

void condition::try_values(const std::set<std::uint64_t>& first, std::uint64_t few,
                           question gets_out, const std::vector<std::uint64_t>& constants,
                           effort how) {
  gets_out_ = std::move(gets_out);
  for (const std::uint64_t value : first) try_one(value);
  if (type == kind::mbarrier) {
    // A wait asks for the end of a phase, so the next phase is tried as well.
    for (const std::uint64_t value : first) try_one(value ^ simt::detail::mbarrier_turn(value));
    return;
  }
  try_usual(first, few);
  try_constants(constants, how);
  find_bounds();
  if (type == kind::real || leaves.empty() || stays.empty()) return;
  find_patterns(how == effort::full ? most_patterns : 1);
  find_bounds();
}

void condition::try_usual(const std::set<std::uint64_t>& first, std::uint64_t few) {
  constexpr std::uint64_t always = 17;  // enough to see the bits of small masks
  const std::uint64_t all_of_a_byte = size == 1 ? 256 : 0;
  for (std::uint64_t value = 0; value < std::max({few, always, all_of_a_byte}); ++value) {
    try_one(value);
    if (type != kind::real) continue;
    try_one(bits_of_real(static_cast<double>(value), size));
    try_one(bits_of_real(-static_cast<double>(value), size));
  }
  for (const std::uint64_t value : first) {
    try_one(value + 1);
    try_one(value - 1);
  }
  for (unsigned bit = 4; bit < size * 8U; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (const std::uint64_t value : {power - 1, power, power + 1, ~power}) try_one(value);
  }
  try_one(all_bits());
  for (unsigned bit = 4; bit < size * 8U; ++bit) {
    try_one(scattered(bit) >> (63U - bit));  // a number of so many bits
  }
}

void condition::try_constants(const std::vector<std::uint64_t>& constants, effort how) {
  for (const std::uint64_t value : constants) {
    // For a range, the compiler subtracts. A mask does not see high bits.
    for (const std::uint64_t one :
         {value, value + 1, value - 1, 0 - value, value ^ sign(), value ^ sign() >> 1U}) {
      try_one(one);
    }
  }
  if (how == effort::least) return;
  const std::size_t some = std::min(constants.size(), most_combined);
  for (std::size_t i = 0; leaves.empty() && i < some; ++i) {
    for (std::size_t j = 0; j < some; ++j) {
      const std::uint64_t a = constants[i], b = constants[j];
      try_one(a - b);
      if (j <= i) continue;
      for (const std::uint64_t one : {a + b, a ^ b, a | b, a & b}) try_one(one);
    }
  }
  for (std::size_t i = 0; leaves.empty() && i < std::min(some, most_shifted); ++i) {
    for (unsigned by = 1; by < size * 8U; ++by) try_one(constants[i] << by);
    for (std::uint64_t small = 1; small < most_combined; ++small) try_one(constants[i] | small);
  }
  if (leaves.empty()) return;
  // Values for a condition on a remainder.
  const std::uint64_t least = *leaves.begin(), most = *leaves.rbegin();
  for (const std::uint64_t by : {2, 3, 5}) try_one(least * by);
  for (std::size_t i = 0; i < some; ++i) {
    for (const std::uint64_t one :
         {least + constants[i], least - constants[i], most + constants[i], most - constants[i]}) {
      try_one(one);
    }
  }
}

std::vector<condition::row> condition::rows() const {
  std::vector<std::pair<std::uint64_t, bool>> all;
  for (const std::uint64_t value : leaves) all.emplace_back(rank(value), true);
  for (const std::uint64_t value : stays) all.emplace_back(rank(value), false);
  std::ranges::sort(all);
  std::vector<row> result;
  for (const auto& [number, out] : all) {
    const std::uint64_t value = of_rank(number);
    if (result.empty() || result.back().leaves != out) result.push_back({value, value, out});
    result.back().last = value;
  }
  return result;
}

/// If neighbouring values differ, tries values between them until they are next to each other.
void condition::find_bounds() {
  const std::vector<row> all = rows();
  if (all.size() > most_changes + 1) return;
  for (std::size_t i = 1; i < all.size(); ++i) bisect(all[i - 1].last, all[i].first);
}

void condition::bisect(std::uint64_t low, std::uint64_t high) {
  const bool low_leaves = leaves.contains(low);
  while (rank(high) - rank(low) > 1) {
    const std::uint64_t middle = of_rank(rank(low) + (rank(high) - rank(low)) / 2);
    const auto out = try_one(middle);
    if (!out) return;
    (*out == low_leaves ? low : high) = middle;
  }
}

/// Returns what the values have in common that do as `value` does, if each bit either counts or
/// does not. Also tries values that would disprove that.
std::optional<bit_pattern> condition::pattern_around(std::uint64_t value) {
  const bool out = leaves.contains(value);
  bit_pattern found{0, 0};
  for (unsigned bit = 0; bit < size * 8U; ++bit) {
    const std::uint64_t one = std::uint64_t{1} << bit;
    if (try_one(value ^ one).value_or(out) != out) found.mask |= one;
  }
  found.bits = value & found.mask;
  if (found.mask == 0) return std::nullopt;
  const std::uint64_t others = all_bits() & ~found.mask;
  constexpr std::uint64_t rounds = 8;
  for (std::uint64_t i = 0; i < rounds; ++i) try_one(found.bits | (scattered(i) & others));
  try_one(found.bits);
  try_one(found.bits | others);
  for (unsigned bit = 0; bit < size * 8U; ++bit) {
    const std::uint64_t one = std::uint64_t{1} << bit;
    if ((found.mask & one) != 0) try_one((found.bits ^ one) | (scattered(bit) & others));
  }
  // A pattern of this value alone is none.
  return others != 0 ? std::optional(found) : std::nullopt;
}

void condition::find_patterns(int most) {
  for (const bool out : {true, false}) {
    auto& found = out ? leaving : staying;
    const auto& own = out ? leaves : stays;
    for (int i = 0; i < most; ++i) {
      const auto has_none = [&](std::uint64_t value) {
        return std::ranges::none_of(found, [&](const auto& p) { return p.has(value); });
      };
      const auto rest = std::ranges::find_if(own, has_none);
      if (rest == own.end()) break;
      const std::uint64_t one = *rest;
      const auto pattern = pattern_around(one);
      found.push_back(pattern.value_or(bit_pattern{all_bits(), one}));
    }
  }
  // Remove patterns that some value has disproved.
  std::erase_if(leaving, [this](const bit_pattern& p) {
    return p.mask == all_bits() ||
           std::ranges::any_of(stays, [&](std::uint64_t v) { return p.has(v); });
  });
  std::erase_if(staying, [this](const bit_pattern& p) {
    return p.mask == all_bits() ||
           std::ranges::any_of(leaves, [&](std::uint64_t v) { return p.has(v); });
  });
}

}  // namespace warpcheck
