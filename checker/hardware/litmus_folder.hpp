// Keeps compiled litmus tests in a folder, to be run where there is a GPU but perhaps no nvcc. The
// folder has the program `runner`, and `tests.json` with the text of the tests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "litmus/report/report.hpp"

namespace warpcheck {

/// What a runner was made from.
struct compiled_litmus {
  std::filesystem::path runner;
  std::string architecture;             // "sm_90"
  std::string nvcc;                     // nvcc's version
  std::vector<litmus::answered> tests;  // without answers
};

/// Throws usage_error if the folder cannot be written.
void write_litmus_folder(const std::filesystem::path& folder, const compiled_litmus& made);

/// Throws usage_error if the folder was not written by write_litmus_folder(), or not by this
/// version.
compiled_litmus read_litmus_folder(const std::filesystem::path& folder,
                                   const litmus::candidate_options& evaluation);

}  // namespace warpcheck
