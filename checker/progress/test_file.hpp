// Reads files of forward-progress tests: one JSON object a line (docs/progress.md).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "checker/progress/model.hpp"
#include "checker/progress/program.hpp"

namespace warpcheck {

/// The right answers as a file gives them, by notion and model. An answer that is not given is
/// empty.
using progress_labels =
    std::array<std::array<std::optional<bool>, progress_models.size()>, fairness_notions.size()>;

struct progress_test {
  std::string id;
  std::uint32_t line = 0;  // line of the file, from 1
  progress_program program;
  progress_labels labels;

  [[nodiscard]] std::optional<bool> label(fairness_notion notion, progress_model model) const {
    return labels[static_cast<std::size_t>(notion)][static_cast<std::size_t>(model)];
  }
};

/// Reads a file. Throws usage_error: the line, the place in it, what is wrong there, and the
/// remedy.
std::vector<progress_test> read_progress_tests(const std::filesystem::path& file);

/// Reads a stream. `file` is named in errors.
std::vector<progress_test> read_progress_tests(std::istream& stream, const std::string& file);

}  // namespace warpcheck
