// Makes names from the labels of runs, and numbers equal ones.
#include "checker/report/run_names.hpp"

#include <fmt/format.h>

#include <cctype>
#include <set>
#include <string>

#include "checker/scenario/model_names.hpp"

namespace warpcheck {

namespace {

// Turns "[its, sc, fair, resident 1]" into "its-sc-fair-resident-1".
std::string without_punctuation(const std::string& label) {
  std::string name;
  bool between = false;
  for (const char c : label) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') {
      between = true;
      continue;
    }
    if (between && !name.empty()) name += '-';
    between = false;
    name += c;
  }
  return name;
}

}  // namespace

void name_runs(scenario& what) {
  std::set<std::string> taken;
  for (run_settings& run : what.runs) {
    const std::string model = without_punctuation(model_label(run));
    run.name = model;
    for (int n = 2; !taken.insert(run.name).second; ++n) run.name = fmt::format("{}-{}", model, n);
  }
}

}  // namespace warpcheck
