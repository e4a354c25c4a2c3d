// Lists scenario files, and refuses paths that do not exist.
#include <system_error>

#include "checker/scenario/named_files.hpp"
#include "checker/scenario/scenario.hpp"
#include "sim/files/standard_input.hpp"

namespace warpcheck {

namespace fs = std::filesystem;

std::vector<fs::path> scenario_files(const std::vector<fs::path>& arguments) {
  for (const fs::path& argument : arguments) {
    std::error_code error;
    if (!simt::is_standard_input(argument) &&
        fs::status(argument, error).type() == fs::file_type::not_found) {
      throw usage_error(argument.string() +
                        ": no such file or folder; `warpcheck list` shows the scenarios there are");
    }
  }
  // A file that is named twice, or named and also in a named folder, is run once, at its first
  // place.
  return named_files(arguments, ".toml", "scenarios");
}

}  // namespace warpcheck
