// Says when limits of time, memory, states and shares of work are reached, and names the cause.
#include "checker/run/limits.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/automaton/lane_automaton.hpp"

namespace warpcheck {
namespace {

// Units of work between two questions whether a turn is over. Under weak memory, a single step may
// take long.
constexpr std::uint64_t work_between_questions = 16;

}  // namespace

bool turn::is_over() {
  if (was_over()) return true;
  if (merging_ == nullptr) add(work_between_questions);
  const std::uint64_t exploring = explored_.load(std::memory_order_relaxed);
  const bool over = merging_ != nullptr ? merging_->merging_work() > std::max(most_, exploring)
                                        : exploring > most_;
  if (over) over_.store(true, std::memory_order_relaxed);
  return over;
}

std::uint64_t turn::work() const {
  const std::uint64_t merging = merging_ != nullptr ? merging_->merging_work() : 0;
  return explored_.load(std::memory_order_relaxed) + merging;
}

stop_cause limits::reached(std::uint64_t bytes) const {
  if (stop != nullptr && stop->load()) return {stop_reason::interrupted, "interrupted"};
  if (max_memory && bytes > *max_memory) {
    return {stop_reason::memory,
            *max_memory < 1 << 20
                ? fmt::format("the limit of {} bytes of memory is reached", *max_memory)
                : fmt::format("the limit of {} MiB of memory is reached", *max_memory >> 20)};
  }
  if (is_out_of_time()) return reached_time(time ? *time : *processor_time);
  if (share != nullptr && share->is_over()) {
    return {stop_reason::merging, "to tell which lanes behave alike takes longer than exploring"};
  }
  return {};
}

bool overtime::is_over() {
  using clock = std::chrono::steady_clock;
  // After minutes, users do not notice some seconds more or less.
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

// The words fit into the string object itself, since they are needed when nothing can be allocated.
stop_cause limits::no_more_memory() { return {stop_reason::memory, "no more memory"}; }

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
