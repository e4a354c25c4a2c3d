// Puts what is known of a condition into words.
#include "checker/report/cause/condition.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <simt/detail/mbarrier_word.hpp>

namespace warpcheck {
namespace {

using value_text = std::function<std::string(std::uint64_t)>;

constexpr std::size_t most_values_shown = 4;
constexpr std::size_t most_rows_shown = 3;
constexpr std::size_t most_beside = 2;  // values shown beside a pattern

/// Returns "a, b or c".
std::string any_of(std::vector<std::string> texts) {
  const std::string last = texts.back();
  texts.pop_back();
  return texts.empty() ? last : fmt::format("{} or {}", fmt::join(texts, ", "), last);
}

std::vector<std::string> texts_of(const std::vector<std::uint64_t>& values,
                                  const value_text& text) {
  std::vector<std::string> texts;
  for (const std::uint64_t value : values) texts.push_back(text(value));
  return texts;
}

std::size_t count_rows(const std::vector<condition::row>& rows, bool leaves) {
  return static_cast<std::size_t>(std::ranges::count(rows, leaves, &condition::row::leaves));
}

/// Whether the values on both sides of each bound are known.
bool has_sharp_bounds(const condition& c, const std::vector<condition::row>& rows) {
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (c.rank(rows[i].first) - c.rank(rows[i - 1].last) != 1) return false;
  }
  return true;
}

/// Returns "3", "4 or more", "4 or less", or "200 to 210".
std::string text_of_row(const std::vector<condition::row>& rows, std::size_t i,
                        const value_text& text) {
  const condition::row& one = rows[i];
  if (i + 1 == rows.size()) return text(one.first) + " or more";
  if (i == 0) return text(one.last) + " or less";
  if (one.first == one.last) return text(one.first);
  return fmt::format("{} to {}", text(one.first), text(one.last));
}

bool has_one_bit(const bit_pattern& p) { return std::has_single_bit(p.mask); }

/// Returns "whose bit 2 is 1".
std::string text_of_bit(const bit_pattern& p) {
  return fmt::format("whose bit {} is {}", std::countr_zero(p.mask), p.bits != 0 ? 1 : 0);
}

/// Returns "& 0xf0 is 0x50".
std::string text_of_mask(const bit_pattern& p, bool is_so) {
  return p.bits == 0 ? fmt::format("& {:#x} is {}0", p.mask, is_so ? "" : "not ")
                     : fmt::format("& {:#x} is {}{:#x}", p.mask, is_so ? "" : "not ", p.bits);
}

/// Returns the least values, at most `most_values_shown`.
std::vector<std::uint64_t> some_of(const std::set<std::uint64_t>& values) {
  std::vector<std::uint64_t> shown(values.begin(), values.end());
  if (shown.size() > most_values_shown) shown.resize(most_values_shown);
  return shown;
}

struct partial_text {
  enum class kind : std::uint8_t {
    open,    // it leaves out some values
    listed,  // it names the values that were tried
    rule,
  };
  std::string words;
  kind what;
};
using said = partial_text::kind;

/// Returns a text about bits, if there is one.
std::optional<partial_text> text_by_bits(const condition& c, const value_text& text) {
  for (const bit_pattern& p : c.leaving) {
    std::vector<std::uint64_t> beside;
    std::ranges::copy_if(c.leaves, std::back_inserter(beside), [&](auto v) { return !p.has(v); });
    if (beside.empty() && !has_one_bit(p)) return partial_text{text_of_mask(p, true), said::rule};
    if (beside.empty()) {
      const std::string shown =
          fmt::format("{}", fmt::join(texts_of(some_of(c.leaves), text), ", "));
      return partial_text{fmt::format("is {} or another value {}", shown, text_of_bit(p)),
                          said::rule};
    }
    if (beside.size() > most_beside) continue;
    const std::string shown = fmt::format("{}", fmt::join(texts_of(beside, text), ", "));
    return partial_text{has_one_bit(p) ? fmt::format("is {} or a value {}", shown, text_of_bit(p))
                                       : fmt::format("is {} or {}", shown, text_of_mask(p, true)),
                        said::listed};
  }
  for (const bit_pattern& p : c.staying) {
    const bool has_all = std::ranges::all_of(c.stays, [&](auto v) { return p.has(v); });
    if (has_all) return partial_text{text_of_mask(p, false), said::rule};
  }
  return std::nullopt;
}

partial_text text_of(const condition& c, const value_text& text) {
  const std::vector<condition::row> rows = c.rows();
  if (c.leaves.size() == 1) return {fmt::format("is {}", text(*c.leaves.begin())), said::rule};
  if (c.stays.size() == 1) return {fmt::format("is not {}", text(*c.stays.begin())), said::rule};
  const bool sharp = has_sharp_bounds(c, rows);
  if (sharp && !c.stays.empty() && count_rows(rows, true) == 1) {
    return {"is " + text_of_row(rows, rows.front().leaves ? 0 : 1, text), said::rule};
  }
  if (sharp && count_rows(rows, false) == 1)
    return {"is not " + text_of_row(rows, 1, text), said::rule};
  if (!c.stays.empty()) {
    if (auto by_bits = text_by_bits(c, text)) return *by_bits;
  }
  const bool are_few = c.leaves.size() <= most_values_shown;
  if (!are_few && sharp && !c.stays.empty() && count_rows(rows, true) <= most_rows_shown) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].leaves) texts.push_back("is " + text_of_row(rows, i, text));
    }
    return {any_of(std::move(texts)), said::listed};
  }
  // The least values that leave are read at once.
  std::vector<std::string> texts = texts_of(some_of(c.leaves), text);
  if (!are_few) texts.emplace_back("another one");
  return {fmt::format("is {}", any_of(std::move(texts))), are_few ? said::listed : said::open};
}

}  // namespace

std::string condition::text(const value_text& value) const {
  if (type == kind::mbarrier) {
    return fmt::format("is in a phase of parity {}",
                       simt::detail::mbarrier_parity(*leaves.begin()));
  }
  const partial_text text = text_of(*this, value);
  const bool all_tried = size == 1 && leaves.size() + stays.size() == 256;
  const bool is_so = text.what == said::rule || (text.what == said::listed && all_tried);
  return text.words + (is_so && !cut_short ? "" : " (of the values tried)");
}

}  // namespace warpcheck
