// Tries values on a lane that spins, and puts the condition into words.
#include "checker/report/cause/condition.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <simt/detail/mbarrier_word.hpp>

namespace warpcheck {
namespace {

/// A bit that all of `with` have and none of `without` has.
std::optional<unsigned> common_bit(const std::set<std::uint64_t>& with,
                                   const std::set<std::uint64_t>& without, unsigned bits) {
  for (unsigned bit = 0; bit < bits; ++bit) {
    const auto has = [bit](std::uint64_t v) { return (v >> bit & 1U) != 0; };
    if (std::ranges::all_of(with, has) && std::ranges::none_of(without, has)) return bit;
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t condition::rank(std::uint64_t value) const {
  return type == kind::signed_integer ? value ^ (std::uint64_t{1} << (size * 8U - 1)) : value;
}

std::uint64_t condition::all_bits() const {
  return size >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << size * 8U) - 1;
}

void condition::try_one(std::uint64_t value) {
  value &= all_bits();
  if (type == kind::boolean && value > 1) return;
  if (type == kind::mbarrier && !simt::detail::mbarrier_is_live(value)) return;
  if (leaves.contains(value) || stays.contains(value)) return;
  if (const auto out = gets_out_(value)) (*out ? leaves : stays).insert(value);
}

bool condition::lets_go(std::uint64_t value) {
  try_one(value);
  return leaves.contains(value & all_bits());
}

void condition::try_values(const std::set<std::uint64_t>& first, std::uint64_t few,
                           question gets_out) {
  gets_out_ = std::move(gets_out);
  for (const std::uint64_t value : first) try_one(value);
  if (type == kind::mbarrier) {
    // A wait asks for the parity of the phase.
    for (const std::uint64_t value : first) {
      try_one(value ^ std::uint64_t{1} << simt::detail::mbarrier_phase);
    }
    return;
  }
  constexpr std::uint64_t always = 17;  // enough to see the bits of small masks
  for (std::uint64_t value = 0; value < std::max(few, always); ++value) try_one(value);
  for (const std::uint64_t value : first) {
    try_one(value + 1);
    try_one(value - 1);
  }
  for (unsigned bit = 4; bit < size * 8U; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (const std::uint64_t value : {power - 1, power, power + 1, ~power}) try_one(value);
  }
  try_one(all_bits());
  find_bounds();
}

/// Where smaller values differ from larger ones, tries until neighbours do.
void condition::find_bounds() {
  if (leaves.empty() || stays.empty()) return;
  const auto by_rank = [this](std::uint64_t v) { return rank(v); };
  const auto bounds = [&](const std::set<std::uint64_t>& low, const std::set<std::uint64_t>& high) {
    return std::pair{std::ranges::max(low, {}, by_rank), std::ranges::min(high, {}, by_rank)};
  };
  const bool is_above = rank(bounds(stays, leaves).first) < rank(bounds(stays, leaves).second);
  const bool is_below = rank(bounds(leaves, stays).first) < rank(bounds(leaves, stays).second);
  if (!is_above && !is_below) return;
  const auto& low = is_above ? stays : leaves;
  const auto& high = is_above ? leaves : stays;
  for (unsigned i = 0; i < size * 8U; ++i) {
    const auto [below, above] = bounds(low, high);
    const std::uint64_t distance = rank(above) - rank(below);
    if (rank(above) <= rank(below) || distance == 1) return;
    try_one(below + distance / 2);
  }
}

std::string condition::text(const std::function<std::string(std::uint64_t)>& value) const {
  const auto sorted = [this](const std::set<std::uint64_t>& set) {
    std::vector<std::uint64_t> values(set.begin(), set.end());
    std::ranges::sort(values, {}, [this](std::uint64_t v) { return rank(v); });
    return values;
  };
  const std::vector<std::uint64_t> out = sorted(leaves), in = sorted(stays);
  if (type == kind::mbarrier) {
    return fmt::format("is in a phase of parity {}", simt::detail::mbarrier_parity(out.front()));
  }
  if (out.size() == 1) return fmt::format("is {}", value(out.front()));
  if (in.size() == 1) return fmt::format("is not {}", value(in.front()));
  if (!in.empty() && rank(in.back()) < rank(out.front())) {
    return fmt::format("is {} or more", value(out.front()));
  }
  if (!in.empty() && rank(out.back()) < rank(in.front())) {
    return fmt::format("is {} or less", value(out.back()));
  }
  constexpr std::size_t most_shown = 4;
  // The least ones of those that are not less than 0: they are read at once.
  std::vector<std::uint64_t> shown = out;
  std::ranges::sort(shown);
  const bool are_all = shown.size() <= most_shown;
  if (!are_all) shown.resize(most_shown);
  std::vector<std::string> texts;
  for (const std::uint64_t v : shown) texts.push_back(value(v));
  if (!are_all && !in.empty()) {
    const unsigned bits = size * 8U;
    const auto set = common_bit(leaves, stays, bits);
    const auto cleared = set ? std::nullopt : common_bit(stays, leaves, bits);
    if (set || cleared) {
      return fmt::format("is {} or another value whose bit {} is {}", fmt::join(texts, ", "),
                         set ? *set : *cleared, set ? 1 : 0);
    }
  }
  if (!are_all) texts.emplace_back("another one");
  const std::string last = texts.back();
  texts.pop_back();
  return fmt::format("is {} or {} (of the values tried)", fmt::join(texts, ", "), last);
}

}  // namespace warpcheck
