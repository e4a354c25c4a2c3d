// Makes launches on the GPU: the runner is a process of its own, and is ended in any case.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "checker/hardware/conclusion.hpp"
#include "checker/run/choices/named_execution.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// A history that the runner recorded.
struct recorded_events {
  std::string text;          // as docs/histories.md describes it
  std::uint64_t count = 0;   // number of launches with this history
  std::string choices = {};  // what threads chose in the first of these; empty: nothing
};

/// Adds what threads chose to a message; one of the two may be empty.
std::string with_choices(const std::string& message, const std::string& choices);

/// The launches of one process.
struct trial_batch {
  trial_counts counts;
  std::string message;  // of the first failed check, assertion or error; otherwise empty
  double longest = 0;   // longest time of a launch that did not hang, in seconds
  bool usable = false;  // whether the process could have continued
  bool interrupted = false;
  std::vector<recorded_events> histories = {};  // histories of the operations of an object
};

/// Seconds after which a process begins no further launch. Then another process continues.
inline constexpr double batch_budget = 10;

/// What threads are told to choose (`simt::choose`), one value after the other, by the thread's
/// number in the grid.
using told_choices = std::map<std::uint32_t, std::vector<std::uint32_t>>;

/// Returns what each lane chooses in a counterexample, before and within its cycle.
told_choices choices_of(const named_execution& how);

/// Returns the command that starts the runner for this scenario. The top of hardware/runner.cu has
/// the runner's usage.
std::vector<std::string> runner_command(const std::filesystem::path& runner, const scenario& what,
                                        double deadline, const told_choices& told = {});

/// Runs a command that behaves as the runner does. Kills its process group `patience` after the
/// start, and when `stop` is set. Throws std::runtime_error if it cannot start.
trial_batch run_batch(const std::vector<std::string>& command,
                      std::chrono::duration<double> patience, const std::atomic<bool>& stop);

/// The trials of one run.
struct trials {
  trial_counts counts;
  std::vector<std::string> messages;  // without repetitions
  std::uint64_t histories = 0;        // number of recorded histories of an object
  double longest = 0;                 // longest time of a launch that did not hang, in seconds
  bool interrupted = false;
};

/// After so many lost processes, no more trials are made. A lost process costs a deadline or the
/// start of another, and its cause rarely comes alone.
inline constexpr std::uint64_t most_lost_processes = 3;

/// Makes up to `most` trials. `launch` makes up to `count` launches in one process, starting with
/// number `first`, from 0.
trials run_trials(
    std::uint64_t most,
    const std::function<trial_batch(std::uint64_t first, std::uint64_t count)>& launch);

/// Adds the outcomes of `more` to those of `to`.
void add(trials& to, const trials& more);

}  // namespace warpcheck
