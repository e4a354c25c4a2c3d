// Finds the known name that a misspelt one is nearest to, for "did you mean ...?".
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace warpcheck {

/// Counts insertions, deletions and replacements of one character, and swaps of two neighbours.
/// This is Damerau and Levenshtein's distance, in the form in which no part is edited twice.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// Returns the nearest of `names`, if it is near enough to be meant: a third of the letters may
/// differ.
inline std::optional<std::string_view> closest_name(std::string_view wrong,
                                                    std::span<const std::string_view> names) {
  if (wrong.size() > 64) return std::nullopt;
  std::optional<std::string_view> best;
  std::size_t best_distance = std::max<std::size_t>(1, wrong.size() / 3) + 1;
  for (const std::string_view known : names) {
    const std::size_t distance = edit_distance(wrong, known);
    if (distance < best_distance) {
      best = known;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace warpcheck
