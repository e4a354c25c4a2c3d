// The command warpcheck sweep: many runs, each for the next free rank.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checker/commands/select_runs.hpp"
#include "checker/console/exit_status.hpp"

namespace warpcheck {

struct sweep_options {
  std::vector<std::filesystem::path> scenarios;  // files, folders, and lists of these
  run_choice which;
  bool json = false;
  bool quiet = false;
  std::optional<std::filesystem::path> results;  // file to write, JSON
  std::optional<std::filesystem::path> junit;    // file to write, JUnit XML
  std::vector<std::string> of_run;               // options that each run is given
};

exit_status sweep(const sweep_options& options);

}  // namespace warpcheck
