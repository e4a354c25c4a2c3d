// Explores one lock unreduced, on one thread, and prints its time and memory as one line of JSON
// for each run.
//
// usage: explore_bench SUBJECT LANES ACQUISITIONS [RUNS]
#include <sys/resource.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/scenario_of.hpp"
#include "checker/check/check.hpp"
#include "checker/run/session.hpp"

namespace {

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

double now() {
  using clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

struct usage {
  double user, system;
  long most_resident;  // KiB

  static usage now() {
    rusage r{};
    getrusage(RUSAGE_SELF, &r);
    return {seconds(r.ru_utime), seconds(r.ru_stime), r.ru_maxrss};
  }
};

/// The time of `check`. The session before it (loading, memory layout) has a time of its own.
nlohmann::json measure(const warpcheck::scenario& what) {
  const double at_first = now();
  warpcheck::session run(what, what.runs.front());
  const usage before = usage::now();
  const double begin = now();
  warpcheck::limits bounds;
  bounds.max_memory = std::uint64_t{8} << 30;  // rather a run that says `inconclusive` than none
  const warpcheck::run_result result = warpcheck::check(run, bounds, warpcheck::reductions::none());
  const double end = now();
  const usage after = usage::now();
  // The explorer's peak includes the machine's interned parts, which only grow.
  const std::uint64_t interned = run.machine().memory();
  return {{"verdict", warpcheck::name(result.gravest)},
          {"stopped", result.stopped.text},
          {"states", result.states},
          {"transitions", result.transitions},
          {"continuations", result.continuations},
          {"device_runs", result.device_runs},
          {"session_seconds", begin - at_first},
          {"wall_seconds", end - begin},
          {"user_seconds", after.user - before.user},
          {"system_seconds", after.system - before.system},
          {"peak_bytes", result.peak_bytes},
          {"interned_bytes", interned},
          {"resident_bytes", (after.most_resident - before.most_resident) * 1024}};
}

std::uint32_t number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value == 0) {
    fmt::print(stderr, "explore_bench: \"{}\" is not a positive number\n", text);
    std::exit(2);
  }
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5) {
    fmt::print(stderr, "usage: explore_bench SUBJECT LANES ACQUISITIONS [RUNS]\n");
    return 2;
  }
  const std::uint32_t runs = argc == 5 ? number(argv[4]) : 1;
  try {
    const auto what = warpcheck::bench::lock_scenario(argv[1], number(argv[2]), number(argv[3]));
    for (std::uint32_t i = 0; i < runs; ++i) fmt::print("{}\n", measure(what).dump());
  } catch (const std::exception& error) {
    fmt::print(stderr, "explore_bench: {}\n", error.what());
    return 1;
  }
}
