#include "checker/run/limits.hpp"

#include <utility>

#include <fmt/format.h>

namespace warpcheck {
stop_cause limits::reached(std::uint64_t bytes) const {
  if (stop != nullptr && stop->load()) return {stop_reason::interrupted, "interrupted"};
  if (max_memory && bytes > *max_memory) {
    return {stop_reason::memory,
            fmt::format("the limit of {} MiB of memory is reached", *max_memory >> 20)};
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

stop_cause limits::no_more_memory() { return {stop_reason::memory, "there is no more memory"}; }

stop_cause limits::host_code_was_stopped(std::string words) const {
  const bool interrupted = stop != nullptr && stop->load();
  return {interrupted ? stop_reason::interrupted : stop_reason::time, std::move(words)};
}

stop_cause limits::reached_states(std::uint64_t most) {
  return {stop_reason::states, fmt::format("the limit of {} states is reached", most)};
}

stop_cause limits::reached_time(double most) {
  return {stop_reason::time, fmt::format("the limit of {:.10g} s is reached", most)};
}

}  // namespace warpcheck
