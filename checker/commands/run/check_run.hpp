// Checks one run as the options of `run` have it: with limits, generated clients, searches that are
// saved and gone on with, and the question about ABA.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "checker/commands/commands.hpp"
#include "checker/explore/aba_search.hpp"
#include "checker/report/report.hpp"
#include "checker/run/limits.hpp"
#include "checker/run/result.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

std::uint64_t cores();

class run_checker {
 public:
  /// `lose` is told of files that cannot be written.
  run_checker(const run_options& options, std::function<void(const std::string&)> lose)
      : options_(options), lose_(std::move(lose)) {}

  struct checked {
    std::unique_ptr<session> ready;  // null: the time was over before
    run_result result;
    std::optional<benign_aba> aba;
  };

  /// `file`: where its search is kept, without folder and extension.
  checked check(const scenario& subject, const run_settings& settings, const std::string& file);

  [[nodiscard]] run_settings as_asked(const run_settings& settings) const;

  /// `spent`: seconds of the time that it may take.
  [[nodiscard]] limits usual_limits(double spent) const;

 private:
  const run_options& options_;
  std::function<void(const std::string&)> lose_;

  checked check_one(const scenario& subject, const run_settings& settings, double spent,
                    const std::string& file);
  checked check_generated(const scenario& subject, const run_settings& settings,
                          const std::string& file);
  [[nodiscard]] simt::patience waiting(double spent) const;
  benign_aba look_for_aba(session& ready, double spent);
  run_result explore(session& ready, double spent, const std::string& search_file);
};

}  // namespace warpcheck
