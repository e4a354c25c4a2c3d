// What a report says of a subject given as source text.
#pragma once

#include <string>

#include <doctest/doctest.h>

#include "checker/report/report.hpp"
#include "tests/checker/run_source.hpp"

namespace test {

/// The sentences of the gravest violation, each on a line.
inline std::string why(const source_run& run) {
  warpcheck::session ready(run.what, run.how);
  const auto result = warpcheck::check(ready, run.bounds);
  warpcheck::names named(ready);
  const auto shown = warpcheck::show_all(ready, named, result);
  REQUIRE(!shown.empty());
  std::string text;
  for (const std::string& one : shown.front().why) text += one + "\n";
  return text;
}

}  // namespace test
