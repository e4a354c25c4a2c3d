// The condition that a lane spins on: which values of a location would let it go on. Nobody knows
// the condition itself; some values are tried.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "checker/run/place.hpp"
#include "sim/subject/location.hpp"

namespace warpcheck {

struct condition {
  using kind = simt::value_type::kind;
  condition(std::uint8_t bytes, kind of_type) : size(bytes), type(of_type) {}

  std::uint64_t address = 0;
  source_place at;  // where the lane reads it
  std::uint8_t size;
  kind type;
  std::set<std::uint64_t> leaves;  // of the values tried
  std::set<std::uint64_t> stays;

  /// Whether a value lets the lane go on; none: not known.
  using question = std::function<std::optional<bool>(std::uint64_t)>;
  /// Tries `first`, the numbers below `few`, and such that tell apart comparisons and masks.
  void try_values(const std::set<std::uint64_t>& first, std::uint64_t few, question gets_out);
  /// Whether this one does, which is tried if it has not been.
  bool lets_go(std::uint64_t value);

  /// "is 0", "is not 3", "is 4 or more", "is 4, 5, 6, 7 or another value with bit 2 set",
  /// "is 4, 7 or 9 (of the values tried)". Some value leaves.
  [[nodiscard]] std::string text(const std::function<std::string(std::uint64_t)>& value) const;

 private:
  question gets_out_;

  void try_one(std::uint64_t value);
  /// What makes the order of numbers that of their types.
  [[nodiscard]] std::uint64_t rank(std::uint64_t value) const;
  void find_bounds();
  [[nodiscard]] std::uint64_t all_bits() const;
};

}  // namespace warpcheck
