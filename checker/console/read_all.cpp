// Reads scenario files, names their runs, and collects mistakes.
#include "checker/console/read_all.hpp"

#include <string>
#include <utility>

#include "checker/report/run_names.hpp"

namespace warpcheck {

scenarios_read read_each(const std::vector<std::filesystem::path>& arguments) {
  scenarios_read all;
  std::vector<std::filesystem::path> found;
  for (const std::filesystem::path& argument : arguments) {
    try {
      scenario_files({argument});
      found.push_back(argument);
    } catch (const usage_error& error) {
      all.refused.push_back({argument, error.what()});
    }
  }
  for (const std::filesystem::path& file : scenario_files(found)) {
    try {
      all.scenarios.push_back(read_scenario(file));
      name_runs(all.scenarios.back());
    } catch (const usage_error& error) {
      all.refused.push_back({file, error.what()});
    }
  }
  return all;
}

void throw_refusals(const std::vector<refusal>& refused) {
  std::string errors;
  for (const refusal& one : refused) {
    if (!errors.empty()) errors += '\n';
    errors += one.message;
  }
  if (!errors.empty()) throw usage_error(errors);
}

std::vector<scenario> read_all(const std::vector<std::filesystem::path>& arguments) {
  scenarios_read all = read_each(arguments);
  throw_refusals(all.refused);
  return std::move(all.scenarios);
}

std::string readable_path(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path relative = std::filesystem::relative(path, error);
  const bool below = !error && !relative.empty() && *relative.begin() != "..";
  return below ? relative.string() : path.string();
}

}  // namespace warpcheck
