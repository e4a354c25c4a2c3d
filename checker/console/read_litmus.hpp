// The litmus tests that a command is given.
#pragma once

#include <vector>

#include "checker/console/litmus_options.hpp"
#include "checker/console/read_all.hpp"
#include "litmus/report/report.hpp"

namespace warpcheck {

struct litmus_read {
  std::vector<litmus::answered> tests;  // without answers
  std::vector<refusal> refused;
};

/// Reads what can be read, and says what cannot. Throws usage_error where the key is none.
litmus_read read_each_litmus_test(const litmus_options& options);

/// The same where all must be readable: one usage_error tells every mistake.
std::vector<litmus::answered> read_litmus_tests(const litmus_options& options);

}  // namespace warpcheck
