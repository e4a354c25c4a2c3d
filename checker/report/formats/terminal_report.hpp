// Writes results for a person: one line for each run, and a full report for a run that is not as
// expected.
#pragma once

#include <string>
#include <vector>

#include "checker/report/report.hpp"

namespace warpcheck {

struct text_style {
  bool colour = false;
  std::size_t width = 100;
  std::size_t label = 0;  // the widest file and model among the runs
};

/// Returns "scenarios/locks/tas.toml  [stack, sc, fair]".
std::string run_label(const std::string& file, const run_settings& settings);

/// Returns "scenarios/locks/tas.toml  [stack, sc, fair]        simt-deadlock  ✗ ...".
std::string headline(const run_report& report, const text_style& style);

/// Returns cause, table and remedy for each violation in `report.shown`.
std::string story(const run_report& report, const text_style& style);
std::string story(const shown_violation& shown, const text_style& style);
/// Returns the cause alone.
std::string reasons(const shown_violation& shown, const text_style& style);

/// Counts for the last line: "38 runs: 38 as expected".
struct tally {
  std::size_t runs = 0, expected = 0, unexpected = 0, inconclusive = 0, refused = 0;
  bool interrupted = false;
  bool ended_early = false;  // the runs ended early, because enough were not as expected
};
std::string summary(const tally& count, const text_style& style);

}  // namespace warpcheck
