// Compares runs with the names and parts of names that were asked for, and suggests close names.
#include "checker/commands/select_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>

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

}  // namespace

std::vector<scenario> select_runs(std::vector<scenario> scenarios,
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

std::vector<scenario> select_matching(std::vector<scenario> scenarios,
                                      const std::vector<std::string>& parts) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  for (scenario& one : scenarios) {
    std::erase_if(one.runs, [&](const run_settings& run) {
      const std::string name = readable_path(one.file) + " " + run.name;
      return std::ranges::none_of(parts, [&](const std::string& part) {
        return !std::ranges::search(name, part, same).empty() || part.empty();
      });
    });
  }
  std::erase_if(scenarios, [](const scenario& one) { return one.runs.empty(); });
  if (scenarios.empty()) {
    throw usage_error(fmt::format(
        "-k: no run has \"{}\" in its file or its name; `warpcheck list FILE` shows the runs of a "
        "scenario",
        fmt::join(parts, "\" or \"")));
  }
  return scenarios;
}

}  // namespace warpcheck
