// Compares what was seen on a GPU with what the model allows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>

#include "checker/console/exit_status.hpp"
#include "checker/verdicts/verdict.hpp"

namespace warpcheck {

/// How one launch ended. hardware/runner.cu reports all but the last two.
enum class trial_outcome : std::uint8_t {
  finished,       // and the final check holds
  hang,           // not done at the deadline
  check_failed,   // the final check does not hold
  assertion,      // an assertion in device code failed
  device_error,   // CUDA reported an error, such as an illegal address
  no_result,      // the runner itself failed, which says nothing about the subject
  wrong_history,  // finished, with a history that is not linearizable (histories.hpp)
};

inline constexpr std::array<std::string_view, 7> trial_outcome_names{
    "finished",     "hang",      "check-failed",    "assertion",
    "device-error", "no-result", "not-linearizable"};

constexpr std::string_view name(trial_outcome o) {
  return trial_outcome_names[static_cast<std::size_t>(o)];
}

constexpr std::optional<trial_outcome> trial_outcome_named(std::string_view text) {
  for (std::size_t i = 0; i < trial_outcome_names.size(); ++i) {
    if (trial_outcome_names[i] == text) return static_cast<trial_outcome>(i);
  }
  return std::nullopt;
}

struct trial_counts {
  std::array<std::uint64_t, trial_outcome_names.size()> of{};

  [[nodiscard]] std::uint64_t operator[](trial_outcome o) const {
    return of[static_cast<std::size_t>(o)];
  }
  std::uint64_t& operator[](trial_outcome o) { return of[static_cast<std::size_t>(o)]; }

  [[nodiscard]] std::uint64_t sum() const {
    return std::accumulate(of.begin(), of.end(), std::uint64_t{0});
  }
  trial_counts& operator+=(const trial_counts& more) {
    for (std::size_t i = 0; i < of.size(); ++i) of[i] += more.of[i];
    return *this;
  }
};

/// The violations that the model has for the same run. `complete`: it has no others.
struct prediction {
  verdict_set violations = 0;
  bool complete = false;
  bool smaller_is_ok = false;  // the model of a smaller grid, explored to the end, says ok
};

/// Returns the prediction for a grid larger than the scenario's, whose model may be too large to
/// explore. What can go wrong in a small grid can also go wrong in a large one.
constexpr prediction larger_prediction(prediction larger, const prediction& own) {
  if (larger.complete) return larger;
  larger.violations |= own.violations;
  larger.smaller_is_ok = own.complete && own.violations == 0;
  return larger;
}

enum class conclusion : std::uint8_t {
  agrees,      // the model says ok, and every launch finished
  as_smaller,  // every launch finished, as the model of a smaller grid says; not explored itself
  confirmed,   // something went wrong, all of it as the model predicts
  // The model predicts a violation that did not show; the GPU takes one schedule of many.
  not_seen,
  allowed,        // the model finds what CUDA leaves undefined, which excuses any outcome
  no_prediction,  // the model was not explored far enough to judge what was seen
  contradicts,    // what was seen is impossible in the model
  no_result,      // nothing was seen: no launch came to an end of any kind
};

inline constexpr std::array<std::string_view, 8> conclusion_names{
    "agrees",  "as smaller",    "confirmed",   "not seen",
    "allowed", "no prediction", "contradicts", "no result"};

constexpr std::string_view name(conclusion c) {
  return conclusion_names[static_cast<std::size_t>(c)];
}

/// A program with a data race, an access out of place or a divergent barrier has no meaning:
/// compiler and GPU may do anything.
inline constexpr verdict_set undefined_violations =
    bit(verdict::race) | bit(verdict::bad_access) | bit(verdict::barrier_divergence);

/// Returns the violations any of which predicts the outcome; none for `finished` and `no_result`.
constexpr verdict_set predictors(trial_outcome o) {
  switch (o) {
    case trial_outcome::hang:
      return bit(verdict::simt_deadlock) | bit(verdict::deadlock) | bit(verdict::livelock);
    case trial_outcome::check_failed:
    case trial_outcome::assertion: return bit(verdict::assertion);
    case trial_outcome::device_error: return bit(verdict::bad_access);
    case trial_outcome::wrong_history: return bit(verdict::not_linearizable) | of_transactions;
    case trial_outcome::finished:
    case trial_outcome::no_result: break;
  }
  return 0;
}

constexpr conclusion conclude(const prediction& model, const trial_counts& seen) {
  bool wrong = false;        // something other than `finished` was seen
  bool unpredicted = false;  // the model lacks some of what was seen
  for (const trial_outcome o :
       {trial_outcome::hang, trial_outcome::check_failed, trial_outcome::assertion,
        trial_outcome::device_error, trial_outcome::wrong_history}) {
    if (seen[o] == 0) continue;
    wrong = true;
    unpredicted = unpredicted || (model.violations & predictors(o)) == 0;
  }
  if (!wrong && seen[trial_outcome::finished] == 0) return conclusion::no_result;
  if (wrong && !unpredicted) return conclusion::confirmed;
  if ((model.violations & undefined_violations) != 0) return conclusion::allowed;
  if (unpredicted) return model.complete ? conclusion::contradicts : conclusion::no_prediction;
  if (model.violations != 0) return conclusion::not_seen;
  if (model.complete) return conclusion::agrees;
  return model.smaller_is_ok ? conclusion::as_smaller : conclusion::no_prediction;
}

constexpr exit_status status_of(conclusion c) {
  switch (c) {
    case conclusion::contradicts: return exit_status::not_expected;
    case conclusion::no_prediction:
    case conclusion::no_result: return exit_status::inconclusive;
    case conclusion::agrees:
    case conclusion::as_smaller:
    case conclusion::confirmed:
    case conclusion::not_seen:
    case conclusion::allowed: break;
  }
  return exit_status::as_expected;
}

}  // namespace warpcheck
