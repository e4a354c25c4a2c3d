#include "checker/run/limits.hpp"

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

bool overtime::is_over() {
  using clock = std::chrono::steady_clock;
  // After minutes, some seconds more or less are not felt.
  constexpr double share = 0.05;
  if (bounds_.time) {
    const double more = bounds_.grace + share * *bounds_.time;
    if (bounds_.spent + bounds_.seconds() > *bounds_.time + more) return true;
  }
  if (bounds_.stop == nullptr || !bounds_.stop->load()) return false;
  if (!stopped_) stopped_ = clock::now();
  const double since = std::chrono::duration<double>(clock::now() - *stopped_).count();
  return since > bounds_.grace / 2;
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
