// One launch on the GPU: the runner in a process of its own, ended in any case.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "checker/commands/hardware_conclusion.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// A history that the runner recorded.
struct recorded_events {
  std::string text;         // docs/histories.md
  std::uint64_t count = 0;  // rounds that went so
};

struct trial {
  trial_outcome outcome = trial_outcome::no_result;
  std::string message;  // of a failed check, an assertion, an error; else empty
  double seconds = 0;   // from the launch on
  bool interrupted = false;
  std::vector<recorded_events> histories = {};  // of the operations of an object
};

/// Of an object, so many rounds make a trial.
inline constexpr std::uint64_t rounds_of_an_object = 500;

/// What the runner is started with for this scenario; the runner's usage is at the top of
/// hardware/runner.cu.
std::vector<std::string> runner_command(const std::filesystem::path& runner, const scenario& what,
                                        double deadline);

/// Runs a command that behaves as the runner does. Its process group is killed `patience` after it
/// started, and when `stop` is set. Throws std::runtime_error if it cannot start.
trial run_trial(const std::vector<std::string>& command, std::chrono::duration<double> patience,
                const std::atomic<bool>& stop);

/// The trials of one run.
struct trials {
  trial_counts counts;
  std::vector<std::string> messages;  // each once
  std::uint64_t histories = 0;        // recorded, of an object
  double longest = 0;                 // seconds that a launch took that did not hang
  bool interrupted = false;
};

/// A hang costs its deadline every time, and rarely comes alone: after the first one, so many
/// trials more are made at most.
inline constexpr std::uint64_t trials_after_hang = 2;

/// Up to `most` trials. `once` makes one.
trials run_trials(std::uint64_t most, const std::function<trial()>& once);

/// What was seen in both.
void add(trials& to, const trials& more);

}  // namespace warpcheck
