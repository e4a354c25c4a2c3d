// Turns errors of writing into mistakes of use that name the option.
#include "checker/console/write_whole.hpp"

#include <fmt/format.h>

#include <system_error>

#include "checker/scenario/scenario.hpp"
#include "sim/files/scratch_folder.hpp"
#include "sim/files/whole_file.hpp"

namespace warpcheck {

namespace fs = std::filesystem;

void write_whole(const fs::path& file, std::string_view text, const std::string& option) {
  try {
    simt::write_whole(file, text);
  } catch (const simt::file_error& error) {
    throw usage_error(fmt::format("{}: {}", option, error.what()));
  }
}

void make_folder(const fs::path& folder, const std::string& option) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw usage_error(
        fmt::format("{}: {} cannot be made: {}", option, folder.string(), error.message()));
  }
  try {
    const simt::detail::temporary_folder trial(folder);
  } catch (const simt::file_error& error) {
    throw usage_error(fmt::format("{}: {}; name a folder that can be written, or make room there",
                                  option, error.what()));
  }
}

}  // namespace warpcheck
