// Checks one run as the options of `run` ask: with limits, generated clients, searches that are
// saved and continued, and the question about ABA.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "checker/commands/commands.hpp"
#include "checker/commands/run/joined_runs.hpp"
#include "checker/explore/aba_search.hpp"
#include "checker/report/report.hpp"
#include "checker/run/limits.hpp"
#include "checker/run/result.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

class run_checker {
 public:
  /// `joined` is null if there are no other ranks. `lose` is told about files that cannot be
  /// written.
  run_checker(const run_options& options, joined_runs* joined,
              std::function<void(const std::string&)> lose)
      : options_(options), joined_(joined), lose_(std::move(lose)) {}

  /// Sets a text to show beside the progress of the next run: "12 of 96 runs, about 0:40 left".
  void say_how_far(std::string text) { how_far_ = std::move(text); }

  struct checked {
    std::unique_ptr<session> ready;  // null: the time was already over
    run_result result;
    std::optional<benign_aba> aba;
  };

  /// `file` is where its search is kept, without folder and extension.
  checked check(const scenario& subject, const run_settings& settings, const std::string& file);

 private:
  const run_options& options_;
  joined_runs* joined_;
  std::function<void(const std::string&)> lose_;
  std::string how_far_;

  /// `spent`: seconds of its time that are over. `is_part`: it is one of many generated clients, of
  /// which other ranks know nothing.
  checked check_one(const scenario& subject, const run_settings& settings, double spent,
                    const std::string& file, bool is_part);
  checked check_generated(const scenario& subject, const run_settings& settings,
                          const std::string& file);
  benign_aba look_for_aba(session& ready, double spent);
  run_result explore(session& ready, double spent, const std::string& search_file, bool is_part);
};

}  // namespace warpcheck
