// Where the published test suites are that this repository does not contain.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace test {

/// The suites' folder: the environment's WARPCHECK_SUITES, or `shared/suites` beside the checkout
/// (tests run in the checkout's root).
inline std::filesystem::path suites_folder() {
  const char* const given = std::getenv("WARPCHECK_SUITES");
  return given != nullptr ? std::filesystem::path(given)
                          : std::filesystem::path("../shared/suites");
}

/// The exit status of a test whose suite is not there: 77 tells ctest that it was skipped. In
/// continuous integration (CI=true) that is a failure.
inline int status_without_suite() {
  const char* const ci = std::getenv("CI");
  return ci != nullptr && std::string_view(ci) == "true" ? 1 : 77;
}

}  // namespace test
