// Runs a program in a process group of its own, and ends it in any case.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace warpcheck {

/// Seconds that a program on a GPU may need besides its own deadline: CUDA alone takes seconds to
/// start on some machines.
inline constexpr double cuda_start_allowance = 20;

enum class child_ending { by_itself, too_late, stopped };

struct child_result {
  child_ending how = child_ending::by_itself;
  int status = 0;      // exit status; 128 + signal if a signal ended the program
  std::string output;  // stdout and stderr, in the order written
};

/// Runs `command[0]` (a path) with the arguments. Its process group is killed when it closes its
/// output, `patience` after it started, and when `stop` is set. Throws std::runtime_error if it
/// cannot start.
child_result run_child(const std::vector<std::string>& command,
                       std::chrono::duration<double> patience, const std::atomic<bool>& stop);

}  // namespace warpcheck
