#include "checker/commands/select_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

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

}  // namespace warpcheck
