// Launches on the GPU: the runner in a process of its own, ended in any case.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "checker/hardware/conclusion.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// A history that the runner recorded.
struct recorded_events {
  std::string text;         // docs/histories.md
  std::uint64_t count = 0;  // launches that went so
};

/// The launches of one process.
struct trial_batch {
  trial_counts counts;
  std::string message;  // of the first failed check, assertion or error; else empty
  double longest = 0;   // seconds that a launch took that did not hang
  bool usable = false;  // the process could have gone on
  bool interrupted = false;
  std::vector<recorded_events> histories = {};  // of the operations of an object
};

/// A process begins no launch after so long, in seconds; another one goes on.
inline constexpr double batch_budget = 10;

/// What the runner is started with for this scenario; the runner's usage is at the top of
/// hardware/runner.cu.
std::vector<std::string> runner_command(const std::filesystem::path& runner, const scenario& what,
                                        double deadline);

/// Runs a command that behaves as the runner does. Its process group is killed `patience` after it
/// started, and when `stop` is set. Throws std::runtime_error if it cannot start.
trial_batch run_batch(const std::vector<std::string>& command,
                      std::chrono::duration<double> patience, const std::atomic<bool>& stop);

/// The trials of one run.
struct trials {
  trial_counts counts;
  std::vector<std::string> messages;  // each once
  std::uint64_t histories = 0;        // recorded, of an object
  double longest = 0;                 // seconds that a launch took that did not hang
  bool interrupted = false;
};

/// What ends a process costs a deadline or the start of another, and rarely comes alone: so often,
/// and no trials are made any more.
inline constexpr std::uint64_t most_lost_processes = 3;

/// Up to `most` trials. `launch` makes up to `count` of them in one process, the first of which has
/// the number `first`, from 0.
trials run_trials(
    std::uint64_t most,
    const std::function<trial_batch(std::uint64_t first, std::uint64_t count)>& launch);

/// What was seen in both.
void add(trials& to, const trials& more);

}  // namespace warpcheck
