// Reads the litmus tests that a command is given.
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

/// Reads the tests that can be read, and reports the others. Throws usage_error if the key is not a
/// key.
litmus_read read_each_litmus_test(const litmus_options& options);

/// Reads tests that must all be readable. One usage_error reports every mistake.
std::vector<litmus::answered> read_litmus_tests(const litmus_options& options);

}  // namespace warpcheck
