// Read-modify-writes whose result no lane uses: counters that are only counted up, bins of a
// histogram. Two of one kind commute.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/machine/lane_automaton.hpp"
#include "sim/machine/reduce/footprint.hpp"

namespace simt {

class machine;

/// Looks at everything known of a program. A read-modify-write has an *unused result* if each value
/// that its location can have leads the lane to one class, so all answers are asked for. A separate
/// lane_program is asked, since most of these answers never come up. Their consequences must not be
/// explored, and must not count in footprints.
class unused_results {
 public:
  explicit unused_results(machine& of) : machine_(of) {}

  /// Marks in `operations`, by continuation, those candidates that are updates. `asks`: device code
  /// is asked for unknown answers. Otherwise an unknown answer counts as no difference, unless too
  /// much has been asked already.
  void mark(std::vector<footprints::own>& operations, bool asks);

  /// Whether two operations of this kind commute.
  [[nodiscard]] static bool commutes(const operation& op);

 private:
  static constexpr std::size_t most_values = 1'024;   // of a location
  static constexpr std::uint64_t most_runs = 40'000;  // of device code, for all rounds

  struct place {  // a location
    std::uint32_t offset = 0, size = 0;
    std::vector<continuation> updates;
    std::vector<std::uint64_t> stored;  // by others
    bool fits = true;
  };

  machine& machine_;
  std::vector<std::vector<continuation>> members_;  // of classes: continuations of the machine's

  [[nodiscard]] std::vector<place> places(const std::vector<footprints::own>& operations) const;
  void count_lanes(std::span<const footprints::own> operations,
                   std::vector<std::uint32_t>& lanes) const;
  [[nodiscard]] std::vector<std::uint64_t> values_of(const place& where,
                                                     std::span<const std::uint32_t> lanes) const;
  [[nodiscard]] bool leads_to_one_class(continuation c) const;
  [[nodiscard]] bool is_unused(continuation c, std::span<const std::uint64_t> values, bool asks);
  void collect_members();
};

}  // namespace simt
