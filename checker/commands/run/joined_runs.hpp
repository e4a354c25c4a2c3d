// Carries out `run` under mpirun. The first rank carries out the command, and calls the others to
// each run that several ranks can do together.
#pragma once

#include <string>
#include <vector>

#include "checker/commands/commands.hpp"
#include "checker/distributed/ranks.hpp"
#include "checker/run/limits.hpp"
#include "checker/run/result.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

class joined_runs {
 public:
  /// `scenarios` are those that the command names, the same on all ranks.
  joined_runs(ranks& all, const run_options& options, const std::vector<scenario>& scenarios)
      : all_(all), options_(options), scenarios_(scenarios) {}

  /// On the first rank: calls the others to a run that is ready here, and does it with them. Throws
  /// usage_error if one of them cannot do it, and what search() and check() throw.
  run_result together(const scenario& subject, const run_settings& settings, session& ready,
                      const limits& bounds, const search_options* search);
  /// On the first rank: says that nothing is left to do.
  void end();

  /// On another rank: does what the first one calls it to, until nothing is left.
  void join();

  [[nodiscard]] ranks& all() { return all_; }

 private:
  ranks& all_;
  const run_options& options_;
  const std::vector<scenario>& scenarios_;

  run_result carry_out(session& ready, const limits& bounds, const search_options* search);
};

/// Carries out `run` if this process is a rank.
exit_status run_on_ranks(const run_options& options);

}  // namespace warpcheck
