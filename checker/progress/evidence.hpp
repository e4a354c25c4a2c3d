// Why a guarantee does not hold, as steps that a person or a program can read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/progress/answer.hpp"

namespace warpcheck {

/// One step of a run. Memory is that of the word which the instruction names.
struct progress_step {
  std::uint32_t thread = 0;
  std::uint32_t at = 0;  // the instruction's number
  std::uint32_t to = 0;  // the next one's; the number of instructions: finished
  std::uint16_t before = 0, after = 0;
  thread_set owed = 0;  // in the state before the step
};

struct progress_evidence {
  std::vector<progress_step> prefix;  // to the state in question
  std::vector<progress_step> walk;    // strong: steps of threads owed progress, from there
  std::vector<progress_step> cycle;   // repeats for ever; strong: by threads owed progress alone
  std::uint32_t states = 0;           // strong: so many can be reached by such steps
  thread_set owed = 0;                // weak: in the cycle; strong: in the state in question
};

/// Only where the guarantee of the column does not hold.
progress_evidence evidence(const progress_answer& answer, progress_column column);

/// As a table with sentences, indented by two.
std::string render(const progress_answer& answer, progress_column column,
                   const progress_evidence& why);

}  // namespace warpcheck
