// All that is known of one checked run: the value that every report renders.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "checker/report/aba.hpp"
#include "checker/report/moment/moment.hpp"
#include "checker/report/object_history.hpp"
#include "checker/report/table.hpp"
#include "checker/report/trace.hpp"
#include "checker/run/place.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

struct shown_violation {
  violation what;
  trace how;
  trace_table table;
  std::vector<std::string> why;  // sentences; the first one is the headline
  std::vector<aba_finding> aba;  // ABA on the way to the violation
  // Operations that no order explains, or whose run ends wrongly.
  std::optional<object_history> operations;
  std::string ending;                        // what follows the table's last row
  std::optional<execution_moments> moments;  // if they were asked for
  std::string remedy;                        // what to do about it; may be empty
  std::string file;                          // the file that replays it, if one was written
  bool needs_trust = false;                  // replaying it needs trust (docs/trust.md)
};

/// What the search for compare-exchanges that ABA did not harm has found (`run --aba`).
struct benign_aba {
  std::optional<aba_finding> found;
  std::string text;  // describes it in a sentence
  trace how;         // an execution that ends with the compare-exchange
  trace_table table;
  bool complete = false;  // one was found, or every reachable state was looked at
  std::string stopped;    // why it is not complete
  std::uint64_t states = 0;
};

/// A value that grows without a known bound (growing_value).
struct shown_growth {
  growing_value what;
  std::string variable;  // name of a variable in memory; empty: see `at`
  source_place at;       // where lanes wait that differ in local variables
  std::string text;
};

struct run_report {
  std::string file;  // the scenario's file, as a person would type it
  scenario subject;
  run_settings settings;
  run_result result;
  bool as_expected = false;
  bool inconclusive = false;  // not as expected, but only because a bound was hit
  std::vector<shown_violation> shown;
  std::string other_model;  // what the other reconvergence model finds; may be empty
  std::optional<benign_aba> aba;
  std::vector<shown_growth> grows;  // if a limit ended the search
};

/// The execution can be followed, but does not end in the violation.
class not_a_violation : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Whether a shown violation gets its `moments`.
enum class show_moments : std::uint8_t { no, yes };

/// Replays a violation and explains it. Throws cannot_follow, not_a_violation.
shown_violation show(session& run, names& named, const violation& found,
                     show_moments moments = show_moments::no);

/// Shows all violations that were just found. If one cannot be replayed, that is a defect of ours,
/// and std::logic_error is thrown.
std::vector<shown_violation> show_all(session& run, names& named, const run_result& result,
                                      show_moments moments = show_moments::no);

}  // namespace warpcheck
