// What is known of one checked run: the value that every report renders.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/report/table.hpp"
#include "checker/report/trace.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

struct shown_violation {
  violation what;
  trace how;
  trace_table table;
  std::vector<std::string> why;  // sentences; the first one is the headline
  std::string ending;            // what follows the table's last row
  std::string remedy;            // what to do about it; may be empty
};

struct run_report {
  std::string file;  // of the scenario, as a person would type it
  scenario subject;
  run_settings settings;
  run_result result;
  bool as_expected = false;
  bool inconclusive = false;  // not as expected, but only because a bound was hit
  std::vector<shown_violation> shown;
  std::string other_model;  // what the other reconvergence model says; may be empty
};

/// Replays what was found and explains it. Throws std::logic_error where a violation is not what
/// the replay shows: a defect of ours.
std::vector<shown_violation> show(session& run, names& named, const run_result& result);

}  // namespace warpcheck
