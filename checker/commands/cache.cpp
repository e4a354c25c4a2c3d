// Implements warpcheck cache: shows where compiled subjects are kept and how large they are, and
// clears them.
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <vector>

#include "checker/commands/commands.hpp"
#include "checker/console/standard_output.hpp"
#include "checker/text/plain_text.hpp"
#include "checker/text/usage_error.hpp"
#include "sim/compile/cache.hpp"

namespace warpcheck {

exit_status cache(const cache_options& options) {
  namespace fs = std::filesystem;
  const fs::path folder = simt::detail::cache_folder();
  if (options.where) {
    fmt::print("{}\n", folder.string());
    flush_output();
    return exit_status::as_expected;
  }
  std::vector<fs::path> files;
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (!entry.is_regular_file(error) || entry.is_symlink(error)) continue;
    if (!simt::detail::is_of_cache(entry.path())) continue;  // a file that is not ours
    bytes += entry.file_size(error);
    files.push_back(entry.path());
  }
  if (options.clear) {
    for (const fs::path& file : files) {
      if (!fs::remove(file, error) && error) {
        throw usage_error(fmt::format("{} cannot be removed: {}", file.string(), error.message()));
      }
    }
  }
  fmt::print("{}{}: {}, {} bytes\n", options.clear ? "removed from " : "", folder.string(),
             counted(files.size(), "file", "files"), grouped(bytes));
  flush_output();
  return exit_status::as_expected;
}

}  // namespace warpcheck
