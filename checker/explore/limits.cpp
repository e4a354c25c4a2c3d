#include "checker/explore/limits.hpp"

#include <fmt/format.h>

namespace warpcheck {
namespace {

constexpr const char* more_memory =
    "--spill FOLDER lets states go to disk, --max-memory SIZE sets another limit, and ulimit -v or "
    "a "
    "control group may set a lower one";

}  // namespace

std::string limits::reached(std::uint64_t bytes) const {
  if (stop != nullptr && stop->load()) return "interrupted";
  if (max_memory && bytes > *max_memory) {
    return fmt::format("the limit of {} MiB of memory is reached ({})", *max_memory >> 20,
                       more_memory);
  }
  if (is_out_of_time()) return reached_time(*time);
  return {};
}

std::string limits::no_more_memory() {
  return fmt::format("there is no more memory ({})", more_memory);
}

std::string limits::reached_states(std::uint64_t most) {
  return fmt::format("the limit of {} states is reached", most);
}

std::string limits::reached_time(double most) {
  return fmt::format("the limit of {:.10g} s is reached", most);
}

}  // namespace warpcheck
