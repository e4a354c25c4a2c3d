// Runs a program to its end and keeps its output. No shell is involved.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace simt::detail {

struct process_result {
  int status = 0;  // exit status; 128 + signal where a signal ended it
  std::string output;
};

/// Which output of a program is kept: stdout and stderr, in the order written, or stdout alone.
enum class process_output : std::uint8_t { all, without_errors };

/// Runs `arguments[0]` (a path) with the arguments. Throws std::runtime_error if it cannot start.
process_result run_process(const std::vector<std::string>& arguments,
                           process_output kept = process_output::all);

/// The program `name` on PATH; empty if there is none.
std::filesystem::path find_program(const std::string& name);

}  // namespace simt::detail
