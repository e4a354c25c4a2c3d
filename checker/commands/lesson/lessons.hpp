// The shipped lessons: each is a folder scenarios/lessons/NN_NAME.
//
//   lesson.md     the text, a question, a task; and the answer, under "## Answer"
//   kernel.hpp    the broken code; the reader edits a copy
//   harness.hpp   includes kernel.hpp, calls it and checks the result
//   lesson.toml   the scenario of the harness, with the verdicts that the broken kernel has
//   solution.hpp  a correct kernel.hpp
//
// A lesson may be a litmus test instead: lesson.md, kernel.litmus and solution.litmus.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

struct lesson {
  unsigned number = 0;
  std::filesystem::path folder;
  std::string title;   // "a lost update"
  std::string text;    // Markdown, up to the answer
  std::string answer;  // Markdown
  bool is_litmus = false;

  [[nodiscard]] std::filesystem::path kernel() const;
  [[nodiscard]] std::filesystem::path solution() const;
};

/// Returns all lessons, in the order of their numbers.
std::vector<lesson> shipped_lessons();

/// Returns the lesson's scenario with the reader's file in place of kernel.hpp. All its runs must
/// be `ok`. Writes its source into `scratch`.
scenario with_kernel(const lesson& of, const std::filesystem::path& kernel,
                     const std::filesystem::path& scratch);

}  // namespace warpcheck
