// A forward-progress test as a scenario of the subject progress/interpreter.
#pragma once

#include <string>

#include "checker/progress/answer.hpp"

namespace warpcheck {

/// The text of a scenario file: the lanes of one warp carry out the test's threads, and each run
/// has the verdict to expect. Throws usage_error for more than 32 threads, and where the answer is
/// not complete.
std::string scenario_text(const progress_answer& answer);

}  // namespace warpcheck
