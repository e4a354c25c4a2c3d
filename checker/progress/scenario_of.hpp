// Turns a forward-progress test into a scenario of the subject progress/interpreter.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "checker/progress/answer.hpp"

namespace warpcheck {

/// What carries out the threads of a test: the lanes of one warp, or blocks of one lane.
enum class thread_placement : std::uint8_t { lane, block };
inline constexpr std::array<std::string_view, 2> thread_placement_names{"lane", "block"};

/// Returns the text of a scenario file. The interpreter carries out the test's threads, and each
/// run has the verdict to expect. As lanes: a run under `its` and one under `stack`. As blocks: a
/// run for each model, with weak and with strong fairness, in the order of progress_columns. Throws
/// usage_error for more than 32 threads as lanes, for blocks that would have nothing to do, and for
/// an answer that is not complete.
std::string scenario_text(const progress_answer& answer,
                          thread_placement placement = thread_placement::lane);

}  // namespace warpcheck
