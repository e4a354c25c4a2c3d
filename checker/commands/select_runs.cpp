// Compares runs with the names, parts of names and models that were asked for, and suggests close
// names.
#include "checker/commands/select_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "checker/console/read_all.hpp"
#include "checker/text/closest_name.hpp"

namespace warpcheck {

namespace {

std::vector<std::string_view> names_of_runs(const std::vector<scenario>& scenarios) {
  std::vector<std::string_view> names;
  for (const scenario& one : scenarios) {
    for (const run_settings& run : one.runs) {
      if (std::find(names.begin(), names.end(), run.name) == names.end()) names.push_back(run.name);
    }
  }
  return names;
}

// Keeps the runs with one of these names.
std::vector<scenario> select_named(std::vector<scenario> scenarios,
                                   const std::vector<std::string>& names) {
  const std::vector<std::string_view> there = names_of_runs(scenarios);
  for (const std::string& name : names) {
    if (std::find(there.begin(), there.end(), name) != there.end()) continue;
    const auto near = closest_name(name, there);
    throw usage_error(fmt::format("--only: there is no run \"{}\"; {}", name,
                                  near ? fmt::format("did you mean \"{}\"?", *near)
                                       : "`warpcheck list FILE` shows the runs of a scenario"));
  }
  for (scenario& one : scenarios) {
    std::erase_if(one.runs, [&](const run_settings& run) {
      return std::find(names.begin(), names.end(), run.name) == names.end();
    });
  }
  std::erase_if(scenarios, [](const scenario& one) { return one.runs.empty(); });
  return scenarios;
}

// Keeps the runs under these models.
std::vector<scenario> select_models(std::vector<scenario> scenarios, const run_choice& which) {
  const std::size_t before = scenarios.size();
  for (scenario& one : scenarios) {
    std::erase_if(one.runs, [&](const run_settings& run) {
      return (which.reconvergence && run.machine.reconvergence != *which.reconvergence) ||
             (which.memory && run.machine.memory != *which.memory);
    });
  }
  std::erase_if(scenarios, [](const scenario& one) { return one.runs.empty(); });
  if (scenarios.empty() && before != 0) {
    std::vector<std::string> given;
    if (which.reconvergence) {
      const bool is_stack = *which.reconvergence == simt::reconvergence::stack;
      given.push_back(fmt::format("--reconvergence {}", is_stack ? "stack" : "its"));
    }
    if (which.memory) {
      given.push_back(
          fmt::format("--memory {}", *which.memory == simt::memory_model::sc ? "sc" : "ptx"));
    }
    throw usage_error(fmt::format(
        "{}: no run {} is under {}; `warpcheck list FILE` shows the runs of a scenario",
        fmt::join(given, " "), which.only.empty() && which.matching.empty() ? "here" : "of these",
        given.size() == 2 ? "both" : "this model"));
  }
  return scenarios;
}

}  // namespace

bool has_part(std::string_view text, const std::vector<std::string>& parts) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return parts.empty() || std::ranges::any_of(parts, [&](const std::string& part) {
           return part.empty() || !std::ranges::search(text, part, same).empty();
         });
}

std::vector<scenario> matching(std::vector<scenario> scenarios,
                               const std::vector<std::string>& parts) {
  for (scenario& one : scenarios) {
    std::erase_if(one.runs, [&](const run_settings& run) {
      return !has_part(readable_path(one.file) + " " + run.name, parts);
    });
  }
  std::erase_if(scenarios, [](const scenario& one) { return one.runs.empty(); });
  return scenarios;
}

std::vector<scenario> chosen(std::vector<scenario> scenarios, const run_choice& which) {
  if (!which.only.empty()) scenarios = select_named(std::move(scenarios), which.only);
  if (!which.matching.empty()) {
    scenarios = matching(std::move(scenarios), which.matching);
    if (scenarios.empty()) {
      throw usage_error(fmt::format(
          "-k: no run has \"{}\" in its file or its name; `warpcheck list FILE` shows the runs of "
          "a scenario",
          fmt::join(which.matching, "\" or \"")));
    }
  }
  if (which.reconvergence || which.memory) scenarios = select_models(std::move(scenarios), which);
  return scenarios;
}

}  // namespace warpcheck
