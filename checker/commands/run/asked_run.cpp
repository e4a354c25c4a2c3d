// Turns options of `run` into settings and limits of one run.
#include "checker/commands/run/asked_run.hpp"

#include <algorithm>
#include <sstream>
#include <thread>

#include "checker/console/interrupt.hpp"
#include "checker/console/memory.hpp"
#include "checker/distributed/ranks.hpp"

namespace warpcheck {

namespace {

/// Splits names with commas between. "*" gives no names.
std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream parts(text == "*" ? std::string() : text);
  for (std::string name; std::getline(parts, name, ',');) names.push_back(name);
  return names;
}

}  // namespace

run_settings as_asked(const run_options& options, const run_settings& settings) {
  run_settings how = settings;
  if (how.machine.memory == simt::memory_model::ptx) {
    how.machine.promises = !options.no_promises;
  }
  if (!options.deterministic.empty()) how.deterministic = names_in(options.deterministic);
  return how;
}

// Ranks on one machine share what no option limits: cores and memory.
limits limits_of(const run_options& options, double spent) {
  limits bounds;
  constexpr std::uint64_t most_threads = 256;
  const std::uint64_t sharing = ranks::on_this_machine();
  const std::uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
  bounds.threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(
      options.threads.value_or(std::max<std::uint64_t>(cores / sharing, 1)), most_threads));
  if (options.share_after) bounds.share_after = *options.share_after;
  bounds.max_states = options.max_states;
  bounds.max_memory = options.max_memory.value_or(usual_memory() / sharing);
  bounds.time = options.time;
  if (options.time) bounds.spent = spent;
  bounds.first = options.first;
  if (options.behind) bounds.behind = *options.behind;
  bounds.stop = &stop_requested;
  return bounds;
}

simt::patience patience_of(const run_options& options, double spent) {
  simt::patience some;
  some.over = [bounds = limits_of(options, spent)] { return bounds.reached(0); };
  return some;
}

}  // namespace warpcheck
