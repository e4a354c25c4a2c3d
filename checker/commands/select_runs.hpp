// Picks some of the runs that scenario files have, for --only, -k, --reconvergence and --memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// The runs of scenario files that are meant. What is not given keeps all runs.
struct run_choice {
  std::vector<std::string> only;      // names of runs
  std::vector<std::string> matching;  // parts of "FILE RUN"
  std::optional<simt::reconvergence> reconvergence;
  std::optional<simt::memory_model> memory;
};

/// Keeps the runs that are meant, and the scenarios that have such runs. Throws usage_error for a
/// name that no run has, and if no run is left.
std::vector<scenario> chosen(std::vector<scenario> scenarios, const run_choice& which);

/// Whether a text contains one of these parts, in upper or lower case, or there are no parts.
bool has_part(std::string_view text, const std::vector<std::string>& parts);

/// Keeps the runs whose "FILE RUN", as a person would type it, has one of these parts.
std::vector<scenario> matching(std::vector<scenario> scenarios,
                               const std::vector<std::string>& parts);

}  // namespace warpcheck
