#include "checker/commands/read_all.hpp"

#include <string>

namespace warpcheck {

std::vector<scenario> read_all(const std::vector<std::filesystem::path>& arguments) {
  std::vector<scenario> scenarios;
  std::string errors;
  const auto note = [&](const usage_error& error) {
    if (!errors.empty()) errors += '\n';
    errors += error.what();
  };
  std::vector<std::filesystem::path> found;
  for (const std::filesystem::path& argument : arguments) {
    try {
      scenario_files({argument});
      found.push_back(argument);
    } catch (const usage_error& error) {
      note(error);
    }
  }
  for (const std::filesystem::path& file : scenario_files(found)) {
    try {
      scenarios.push_back(read_scenario(file));
    } catch (const usage_error& error) {
      note(error);
    }
  }
  if (!errors.empty()) throw usage_error(errors);
  return scenarios;
}

std::string readable_path(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path relative = std::filesystem::relative(path, error);
  const bool below = !error && !relative.empty() && *relative.begin() != "..";
  return below ? relative.string() : path.string();
}

}  // namespace warpcheck
