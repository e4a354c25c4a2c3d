// Walks through folders, and refuses pipes and names that no report could show.
#include "checker/scenario/named_files.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "checker/scenario/scenario.hpp"
#include "checker/text/utf8.hpp"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_below(const fs::path& folder, std::string_view extension,
                                  std::string_view what) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    // A link that leads nowhere is listed, and later reported as a file that cannot be read.
    if (entry->path().extension() == extension &&
        (entry->is_regular_file(error) || (entry->is_symlink(error) && !entry->exists(error)))) {
      found.push_back(entry->path());
    }
  }
  if (error) throw usage_error(folder.string() + ": cannot be read: " + error.message());
  if (found.empty()) {
    throw usage_error(fmt::format("{}: has no {}; name a {} file, or a folder that has some",
                                  folder.string(), what, extension));
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

std::vector<fs::path> named_files(const std::vector<fs::path>& arguments,
                                  std::string_view extension, std::string_view what) {
  std::vector<fs::path> files;
  for (const fs::path& argument : arguments) {
    std::error_code error;
    if (fs::is_directory(argument, error)) {
      const auto found = files_below(argument, extension, what);
      files.insert(files.end(), found.begin(), found.end());
    } else {
      files.push_back(argument);
    }
  }
  std::vector<fs::path> once;
  for (const fs::path& file : files) {
    const auto same = [&](const fs::path& other) {
      return other.lexically_normal() == file.lexically_normal();
    };
    if (std::ranges::none_of(once, same)) once.push_back(file);
  }
  for (const fs::path& file : once) {
    // Opening a named pipe blocks until some process writes to it. A pipe that a shell names has a
    // writer.
    std::error_code error;
    const bool is_of_shell =
        file.native().starts_with("/dev/fd/") || file.native().starts_with("/proc/");
    if (fs::is_fifo(file, error) && !is_of_shell) {
      throw usage_error(
          fmt::format("{}: is a named pipe; name a {} file", file.string(), extension));
    }
    if (is_utf8(file.native())) continue;
    throw usage_error(fmt::format(
        "{}: this name is not UTF-8, so no result could name the file; rename it", file.string()));
  }
  return once;
}

}  // namespace warpcheck
