// A view: what a lane knows of a weak memory, or what a release tells other lanes.
//
// Axioms: messages below a position are hidden. That is SC-per-location for what the lane itself
// has done, and Causality for what others have told it.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>

namespace simt {

/// A recorded access: a lane, and the number of the access in the lane's list.
struct record_ref {
  std::uint16_t lane = 0, index = 0;
  friend auto operator<=>(const record_ref&, const record_ref&) = default;
};

struct view {
  using counts = boost::container::small_vector<std::uint16_t, 8>;

  counts at;                         // by location: messages older than this one are hidden
  counts clock;                      // by lane: how many of its records come before, in causality
  std::vector<record_ref> observed;  // observed stores, rising

  /// Adds what `other` knows.
  void join(const view& other) {
    for (std::size_t x = 0; x < at.size(); ++x) at[x] = std::max(at[x], other.at[x]);
    for (std::size_t l = 0; l < clock.size(); ++l) clock[l] = std::max(clock[l], other.clock[l]);
    observe(other.observed);
  }
  /// Adds stores that are observed. `stores` rises.
  void observe(std::span<const record_ref> stores) {
    if (stores.empty()) return;
    std::vector<record_ref> all;
    std::ranges::set_union(observed, stores, std::back_inserter(all));
    observed.swap(all);
  }
  /// Whether `other` knows all that this view knows.
  [[nodiscard]] bool is_within(const view& other) const {
    if (!is_hidden_in(other)) return false;
    for (std::size_t l = 0; l < clock.size(); ++l) {
      if (clock[l] > other.clock[l]) return false;
    }
    return std::ranges::all_of(observed, [&](record_ref r) {
      return r.index < other.clock[r.lane] || std::ranges::binary_search(other.observed, r);
    });
  }

  /// Whether `other` hides all messages that this view hides.
  [[nodiscard]] bool is_hidden_in(const view& other) const {
    for (std::size_t x = 0; x < at.size(); ++x) {
      if (at[x] > other.at[x]) return false;
    }
    return true;
  }

  friend bool operator==(const view&, const view&) = default;
  friend auto operator<=>(const view& a, const view& b) {
    if (const auto c = std::lexicographical_compare_three_way(a.at.begin(), a.at.end(),
                                                              b.at.begin(), b.at.end());
        c != 0) {
      return c;
    }
    if (const auto c = std::lexicographical_compare_three_way(a.clock.begin(), a.clock.end(),
                                                              b.clock.begin(), b.clock.end());
        c != 0) {
      return c;
    }
    return a.observed <=> b.observed;
  }
};

}  // namespace simt
