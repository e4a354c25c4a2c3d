// warpcheck hardware: runs scenarios on a GPU.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "checker/commands/commands.hpp"
#include "checker/commands/read_all.hpp"

namespace warpcheck {

namespace {

// The driver makes /dev/nvidia0, /dev/nvidia1, ... one for each GPU (and more, without a digit).
bool has_gpu() {
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/dev", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    constexpr std::string_view prefix = "nvidia";
    if (name.starts_with(prefix) && name.size() > prefix.size() &&
        name.find_first_not_of("0123456789", prefix.size()) == std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

exit_status hardware(const hardware_options& options) {
  const std::vector<scenario> scenarios = read_all(options.scenarios);
  if (!has_gpu()) {
    fmt::print(stderr, "there is no NVIDIA GPU here, so there is nothing to run on\n");
    return exit_status::nothing_to_run_on;
  }
  throw std::logic_error("hardware is not connected yet");
}

}  // namespace warpcheck
