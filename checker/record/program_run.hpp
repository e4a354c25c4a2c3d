// Runs a CUDA program without a GPU: records the launches of its kernels, and carries them out.
//
// The program finds the stand-ins for CUDA's libraries (exec/) first. For what needs PTX (reading
// modules, and launches), they ask the session of their process here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace warpcheck {

struct record_options {
  std::vector<std::string> command;  // the program and its arguments
  std::filesystem::path folder;      // for the recorded files; must exist
  /// Whether a launch of that kernel (by its name in CUDA) is recorded. `number` counts from 1.
  std::function<bool(const std::string& kernel, std::uint64_t number)> wanted;
  std::uint64_t shrink = 0;        // most blocks of a recorded grid; 0: all
  double seconds_for_launch = 60;  // most seconds for carrying out a launch
  bool output_to_errors = false;   // what the program prints goes to standard error
};

struct recorded_launch {
  std::uint64_t number = 0;
  std::string kernel;  // as CUDA names it
  std::filesystem::path scenario;
};

/// A launch or another call that the program asked for in vain, or that cannot be checked.
struct refused_request {
  std::uint64_t launch = 0;  // 0: the call is no launch
  std::string why;
};

struct program_run {
  int status = 0;  // exit status; 128 + signal if a signal ended the program
  std::uint64_t launches = 0;
  std::uint64_t repeated = 0;  // launches equal to an earlier one, which are not recorded again
  std::vector<recorded_launch> recorded;
  std::vector<refused_request> unchecked;  // wanted launches that cannot be checked
  std::vector<refused_request> failed;     // launches that could not be carried out
  std::vector<std::string> refused_calls;
};

/// Throws usage_error if the program cannot be started.
program_run run_program(const record_options& options);

}  // namespace warpcheck
