// Finds read-modify-writes whose result no lane uses: counters that only count up, bins of a
// histogram. Two of one kind commute.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/automaton/lane_automaton.hpp"
#include "sim/machine/reduce/footprint.hpp"

namespace simt {

class machine;

/// Finds updates in all that is known of a program. A read-modify-write has an *unused result* if
/// each value that its location can have leads the lane to one class. So all these answers are
/// tried. They go to a separate lane_program, since most of them never come up. Their consequences
/// must not be explored, nor count in footprints.
class unused_results {
 public:
  explicit unused_results(machine& of) : machine_(of) {}

  /// Marks in `operations`, by continuation, the candidates that are updates. `asks`: runs device
  /// code for unknown answers. Otherwise, an unknown answer counts as no difference, unless too
  /// many answers have been tried already.
  void mark(std::vector<footprints::own>& operations, bool asks);

  /// Whether two operations of this kind commute.
  [[nodiscard]] static bool commutes(const operation& op);

 private:
  static constexpr std::size_t most_values = 1'024;   // of one location
  static constexpr std::uint64_t most_runs = 40'000;  // of device code, in all rounds

  // A location with updates.
  struct place {
    std::uint32_t offset = 0, size = 0;
    std::vector<continuation> updates;
    std::vector<std::uint64_t> stored;  // values that other operations store
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
