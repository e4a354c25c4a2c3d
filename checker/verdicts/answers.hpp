// Answers about the progress of a run's operations, and their text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/verdicts/guarantee.hpp"

namespace warpcheck {

enum class decision : std::uint8_t { undecided, holds, fails };

/// The most steps that an operation takes between its call and its return.
struct operation_steps {
  std::string operation;
  std::optional<std::uint32_t> most;  // nothing: there is no bound
};

struct progress_answers {
  std::array<decision, 4> of{};  // by guarantee; for blocking: some operation always completes
  decision starvation_free{};    // in fair runs, each operation completes
  std::vector<operation_steps> steps;  // of operations that were counted
  std::string missing;                 // why something is undecided, in words

  [[nodiscard]] decision& operator[](guarantee g) { return of[static_cast<std::size_t>(g)]; }
  [[nodiscard]] decision operator[](guarantee g) const { return of[static_cast<std::size_t>(g)]; }
  /// Returns the strongest guarantee that was shown to hold, or nothing.
  [[nodiscard]] std::optional<guarantee> strongest() const;
};

/// Returns text such as "lock-free, not wait-free", "blocking; deadlock-free, not starvation-free",
/// or "lock-free; wait-free: not decided (its clients end: …)". Parts are separated by "; ".
std::string text_of(const progress_answers& answers);

}  // namespace warpcheck
