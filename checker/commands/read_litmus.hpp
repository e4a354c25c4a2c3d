// The litmus tests that a command is given.
#pragma once

#include <vector>

#include "checker/commands/commands.hpp"
#include "litmus/report.hpp"

namespace warpcheck {

/// Without answers. All are read before the first is answered; one usage_error tells every mistake.
std::vector<litmus::answered> read_litmus_tests(const litmus_options& options);

}  // namespace warpcheck
