// Shows why a guarantee does not hold, as steps that a person or a program can read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/progress/answer.hpp"

namespace warpcheck {

/// One step of a run. Memory values are those of the word that the instruction names.
struct progress_step {
  std::uint32_t thread = 0;
  std::uint32_t at = 0;  // number of the instruction
  std::uint32_t to = 0;  // number of the next instruction; the number of all instructions: finished
  std::uint16_t before = 0, after = 0;
  thread_set owed = 0;  // threads that are owed progress before the step
};

struct progress_evidence {
  std::vector<progress_step> prefix;  // leads to the state in question
  std::vector<progress_step> walk;    // strong: steps from there of threads owed progress
  std::vector<progress_step> cycle;   // repeats for ever; strong: only by threads owed progress
  std::uint32_t states = 0;           // strong: number of states that such steps reach
  // Threads owed progress: in the cycle (weak), or in the state in question (strong).
  thread_set owed = 0;
};

/// Call it only if the guarantee of the column does not hold.
progress_evidence evidence(const progress_answer& answer, progress_column column);

/// Returns a table with sentences, indented by two.
std::string render(const progress_answer& answer, progress_column column,
                   const progress_evidence& why);

}  // namespace warpcheck
