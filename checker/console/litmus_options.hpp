// The options of warpcheck litmus.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "litmus/candidates.hpp"

namespace warpcheck {

/// Options for litmus tests on a GPU.
struct litmus_hardware_options {
  std::uint64_t instances = 4'000'000;         // instances of each test
  std::uint64_t seed = 1;                      // seed of random choices
  std::optional<std::filesystem::path> build;  // only compile, into this folder
  std::optional<std::string> architecture;     // to compile for: "sm_90"
  std::optional<std::filesystem::path> run;    // folder with a compiled runner
};

struct litmus_options {
  std::vector<std::filesystem::path> tests;  // files, and folders of them
  std::optional<std::filesystem::path> key;  // published answers
  litmus::candidate_options evaluation;
  std::optional<double> time;               // seconds, for each test
  std::optional<std::uint64_t> max_memory;  // bytes
  bool explain = false;                     // show a witness, or why there is none
  bool json = false;
  bool dot = false;
  bool quiet = false;
  std::optional<std::filesystem::path> html;  // file to write, a page with all tests
  bool on_hardware = false;
  litmus_hardware_options hardware;
};

}  // namespace warpcheck
