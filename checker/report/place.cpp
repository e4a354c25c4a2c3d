#include "checker/report/place.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "checker/explore/session.hpp"
#include "sim/subject/location.hpp"

namespace warpcheck {

std::string at_place(const session& run, std::uint64_t pc) {
  if (pc == 0) return {};
  const simt::debug_info info(run.setup().library->file);
  for (const simt::source_frame& frame : info.frames(pc)) {
    return fmt::format(" ({}:{})", std::filesystem::path(frame.file).filename().string(), frame.line);
  }
  return {};
}

}  // namespace warpcheck
