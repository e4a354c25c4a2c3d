// Finds the condition that a lane spins on: which values of a location would let it go on. The
// condition itself is unknown, so some values are tried.
//
// The text holds for each value that was tried. If it is a rule (a bound, a range, a mask), the
// values that would break the rule first have been tried. These are neighbours of bounds, and each
// bit of a mask alone and beside others. A text that is no such rule ends with "(of the values
// tried)".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/run/place.hpp"
#include "sim/subject/location.hpp"

namespace warpcheck {

/// The values v with (v & mask) == bits.
struct bit_pattern {
  std::uint64_t mask, bits;
  [[nodiscard]] bool has(std::uint64_t value) const { return (value & mask) == bits; }
};

struct condition {
  using kind = simt::value_type::kind;
  condition(std::uint8_t bytes, kind of_type) : size(bytes), type(of_type) {}

  std::uint64_t address = 0;
  source_place at;  // where the lane reads it
  std::uint8_t size;
  kind type;
  std::set<std::uint64_t> leaves;  // values tried that let the lane go on
  std::set<std::uint64_t> stays;
  std::vector<bit_pattern> leaving, staying;  // patterns that some of these values suggest
  bool cut_short = false;                     // fewer values than wanted could be tried

  /// Whether a value lets the lane go on; none: not known.
  using question = std::function<std::optional<bool>(std::uint64_t)>;
  /// Tries all values, or those that most conditions need.
  enum class effort : std::uint8_t { full, least };
  /// Tries `first`, the numbers below `few`, `constants` and what they make together, and values
  /// that tell apart comparisons and masks. The most likely constants come first.
  void try_values(const std::set<std::uint64_t>& first, std::uint64_t few, question gets_out,
                  const std::vector<std::uint64_t>& constants = {}, effort how = effort::full);
  /// Whether this value lets the lane go on. Tries it if that has not been done.
  bool lets_go(std::uint64_t value);

  /// Returns for example "is 0", "is not 3", "is 4 or more", "is 200 to 210" or "& 0xf0 is 0x50".
  /// Less regular ones: "is 4, 5, 6, 7 or another value whose bit 2 is 1", "is 4, 7 or 9 (of the
  /// values tried)". Some value must leave.
  [[nodiscard]] std::string text(const std::function<std::string(std::uint64_t)>& value) const;

  /// Maps values so that unsigned order is the order of their type. of_rank() is the inverse.
  [[nodiscard]] std::uint64_t rank(std::uint64_t value) const;
  [[nodiscard]] std::uint64_t of_rank(std::uint64_t number) const;

  /// Neighbours among the values tried that all leave, or all stay, in the order of numbers.
  struct row {
    std::uint64_t first, last;
    bool leaves;
  };
  [[nodiscard]] std::vector<row> rows() const;

 private:
  question gets_out_;

  std::optional<bool> try_one(std::uint64_t value);
  void try_usual(const std::set<std::uint64_t>& first, std::uint64_t few);
  void try_constants(const std::vector<std::uint64_t>& constants, effort how);
  void find_bounds();
  void bisect(std::uint64_t low, std::uint64_t high);
  void find_patterns(int most);
  std::optional<bit_pattern> pattern_around(std::uint64_t value);
  [[nodiscard]] std::uint64_t all_bits() const;
  [[nodiscard]] std::uint64_t sign() const { return std::uint64_t{1} << (size * 8U - 1); }
};

}  // namespace warpcheck
