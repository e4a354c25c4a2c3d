// The verdicts of a run, from the gravest to `ok`. A run gets the gravest that it found.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpcheck {

enum class verdict : std::uint8_t {
  bad_access,
  barrier_divergence,
  simt_deadlock,
  deadlock,
  assertion,
  not_linearizable,
  not_sequentially_consistent,
  not_quiescently_consistent,
  not_strictly_serializable,
  not_opaque,
  wrong_linearization_point,
  race,
  livelock,
  starvation,
  progress_violated,
  inconclusive,
  ok,
  // Only while a search runs: a bad-access to memory that no lane has written. If there is a race,
  // it is no violation of its own, since an access comes too early.
  unwritten_read,
};

inline constexpr std::array<std::string_view, 17> verdict_names{"bad-access",
                                                                "barrier-divergence",
                                                                "simt-deadlock",
                                                                "deadlock",
                                                                "assertion",
                                                                "not-linearizable",
                                                                "not-sequentially-consistent",
                                                                "not-quiescently-consistent",
                                                                "not-strictly-serializable",
                                                                "not-opaque",
                                                                "wrong-linearization-point",
                                                                "race",
                                                                "livelock",
                                                                "starvation",
                                                                "progress-violated",
                                                                "inconclusive",
                                                                "ok"};

/// Returns the verdict that users see for a verdict that only a search has.
constexpr verdict told_as(verdict v) {
  return v == verdict::unwritten_read ? verdict::bad_access : v;
}

constexpr std::string_view name(verdict v) {
  return verdict_names[static_cast<std::size_t>(told_as(v))];
}

constexpr std::optional<verdict> verdict_named(std::string_view text) {
  for (std::size_t i = 0; i < verdict_names.size(); ++i) {
    if (verdict_names[i] == text) return static_cast<verdict>(i);
  }
  return std::nullopt;
}

/// Number of verdicts, with those that only a search has.
inline constexpr std::size_t verdicts_in_search =
    static_cast<std::size_t>(verdict::unwritten_read) + 1;

/// Whether `v` is something that can be wrong with a program (not `ok`, not `inconclusive`).
constexpr bool is_violation(verdict v) { return v < verdict::inconclusive; }

/// A set of violations, one bit each.
using verdict_set = std::uint32_t;
constexpr verdict_set bit(verdict v) {
  return static_cast<verdict_set>(1U << static_cast<unsigned>(v));
}
/// Both kinds of states that no schedule completes.
inline constexpr verdict_set deadlocks =
    static_cast<verdict_set>(bit(verdict::deadlock) | bit(verdict::simt_deadlock));
/// Violations that only all steps of a program show: that no step leads on, or that a lane takes
/// none.
inline constexpr verdict_set rest_on_all_steps =
    static_cast<verdict_set>(deadlocks | bit(verdict::livelock) | bit(verdict::starvation) |
                             bit(verdict::progress_violated));
/// Violations by histories of transactions.
inline constexpr verdict_set of_transactions =
    bit(verdict::not_strictly_serializable) | bit(verdict::not_opaque);
/// Violations by histories of other operations.
inline constexpr verdict_set of_operations = bit(verdict::not_linearizable) |
                                             bit(verdict::not_sequentially_consistent) |
                                             bit(verdict::not_quiescently_consistent);
/// Violations of consistency (only if a scenario gives operations).
inline constexpr verdict_set inconsistencies = of_operations | of_transactions;
/// Violations that are judged by histories.
inline constexpr verdict_set of_histories =
    static_cast<verdict_set>(inconsistencies | bit(verdict::wrong_linearization_point));
/// Returns what a search looks for if `kinds` are asked for.
constexpr verdict_set searched_by(verdict_set kinds) {
  const bool all_accesses = (kinds & bit(verdict::bad_access)) != 0;
  return static_cast<verdict_set>(kinds | (all_accesses ? bit(verdict::unwritten_read) : 0U));
}
inline constexpr verdict_set all_violations = bit(verdict::inconclusive) - 1;
/// Violations that are looked for by default. A linearizable history also has the other kinds of
/// consistency, and locks that starve clients are usual, so these are left out.
inline constexpr verdict_set usual_checks =
    all_violations & ~bit(verdict::starvation) & ~(of_operations & ~bit(verdict::not_linearizable));

}  // namespace warpcheck
