// Keeps the progress of a run with `generate` beside the searches that --save writes: the
// combinations of clients that are done, and the sums over them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checker/run/generate_clients.hpp"
#include "checker/run/result.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

struct generated_progress {
  std::vector<bool> done;  // by combination: whether it is explored to the end, without a violation
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;
  std::uint64_t rounds = 0;
  std::uint64_t device_runs = 0;
  std::uint64_t peak_bytes = 0;
  double seconds = 0;

  /// Adds a combination that is done.
  void add(std::size_t combination, const run_result& result);
};

/// Returns an identity of the combinations. It differs for another scenario, model, reductions or
/// source.
std::string generated_identity(const scenario& what, const run_settings& how,
                               const std::vector<client_lists>& all, const std::string& reduce);

/// Throws usage_error if the file cannot be written.
void save_generated(const std::filesystem::path& file, const std::string& identity,
                    const generated_progress& made);

/// Returns no progress if there is no such file. Throws usage_error if the file is damaged, or
/// belongs to something else.
generated_progress read_generated(const std::filesystem::path& file, const std::string& identity,
                                  std::size_t combinations);

}  // namespace warpcheck
