// What tests know of the shipped scenarios.
#pragma once

#include <filesystem>

namespace test {

/// Whether the scenario is of a family of kernels with many lanes, which are not explored without
/// reductions.
inline bool has_many_lanes(const std::filesystem::path& scenario) {
  const std::filesystem::path family = scenario.parent_path();
  return family.filename() == "kernels" || family.parent_path().filename() == "pipelines";
}

}  // namespace test
