// Says what can be done about a run that is inconclusive.
#pragma once

#include <string>
#include <string_view>

#include "checker/run/result.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// The words in which the user asked: keys of a scenario, keys of its [kernel], options of `check`.
enum class asked_by : std::uint8_t { scenario, kernel_table, check };

asked_by asked_by_user(const scenario& what);

/// Returns a remedy of checker/run/stop_cause.cpp, which names keys of a scenario, in other words.
std::string in_words_of(asked_by user, std::string_view remedy);

/// Returns a sentence; empty if the run has another verdict.
std::string remedy_of(const run_result& result, asked_by user);

/// Returns the sentence with the section of docs/reports.md that has more.
std::string remedy_with_section(const run_result& result, asked_by user);

}  // namespace warpcheck
