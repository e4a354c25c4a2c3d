#include "checker/explore/limits.hpp"

#include <fmt/format.h>

namespace warpcheck {

std::string limits::reached(std::uint64_t bytes) const {
  if (stop != nullptr && stop->load()) return "interrupted";
  if (max_memory && bytes > *max_memory) {
    return fmt::format("the limit of {} MiB of memory is reached", *max_memory >> 20);
  }
  if (time && seconds() > *time) return fmt::format("the limit of {} s is reached", *time);
  return {};
}

std::string limits::reached_states(std::uint64_t most) {
  return fmt::format("the limit of {} states is reached", most);
}

}  // namespace warpcheck
