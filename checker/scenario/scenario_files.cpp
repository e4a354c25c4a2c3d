#include <algorithm>
#include <system_error>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".toml" && entry->is_regular_file(error)) {
      found.push_back(entry->path());
    }
  }
  if (error) throw usage_error(folder.string() + ": cannot be read: " + error.message());
  if (found.empty()) {
    throw usage_error(folder.string() +
                      ": has no scenarios; name a .toml file, or a folder that has some");
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<fs::path> scenario_files(const std::vector<fs::path>& arguments) {
  std::vector<fs::path> files;
  for (const fs::path& argument : arguments) {
    std::error_code error;
    const fs::file_status status = fs::status(argument, error);
    if (status.type() == fs::file_type::not_found) {
      throw usage_error(argument.string() +
                        ": no such file or folder; `warpcheck list` shows the scenarios there are");
    }
    if (fs::is_directory(status)) {
      const auto found = files_below(argument);
      files.insert(files.end(), found.begin(), found.end());
    } else {
      files.push_back(argument);
    }
  }
  // A file that is named twice, or named and in a named folder, is run once: where it came first.
  std::vector<fs::path> once;
  for (const fs::path& file : files) {
    const auto same = [&](const fs::path& other) {
      return other.lexically_normal() == file.lexically_normal();
    };
    if (std::none_of(once.begin(), once.end(), same)) once.push_back(file);
  }
  return once;
}

}  // namespace warpcheck
