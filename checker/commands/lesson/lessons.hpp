// The shipped lessons: scenarios/lessons/NN_NAME, a folder each.
//
//   lesson.md     the text, a question, a task; and the answer, under "## Answer"
//   kernel.hpp    what is broken; the reader edits a copy
//   harness.hpp   includes kernel.hpp, calls it and checks what comes out
//   lesson.toml   the scenario of the harness, with the verdicts that the broken kernel has
//   solution.hpp  a kernel.hpp that is right
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

/// All of them, by number.
std::vector<lesson> shipped_lessons();

/// The lesson's scenario with the reader's file in place of kernel.hpp; all runs are to be `ok`.
/// Its source is written into `scratch`.
scenario with_kernel(const lesson& of, const std::filesystem::path& kernel,
                     const std::filesystem::path& scratch);

}  // namespace warpcheck
