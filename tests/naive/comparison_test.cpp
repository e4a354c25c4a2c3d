// The engine against the naive explorer: generated programs, compiled as subjects and interpreted
// from their syntax trees, must have the same set of violations under every model.
//
// WARPCHECK_COMPARE_SEED and WARPCHECK_COMPARE_COUNT choose other programs and more of them.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>

#include "checker/explore/check.hpp"
#include "tests/naive/emit.hpp"
#include "tests/naive/explore.hpp"
#include "tests/naive/generate.hpp"

namespace {

using warpcheck::verdict;
using warpcheck::verdict_set;

constexpr unsigned programs_in_a_header = 250;
constexpr std::size_t max_states = 5'000;

unsigned long setting(const char* name, unsigned long otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoul(value, nullptr, 10);
}

std::string names(verdict_set set) {
  std::string result;
  for (unsigned v = 0; v < static_cast<unsigned>(verdict::inconclusive); ++v) {
    if ((set >> v & 1U) != 0) result += fmt::format("{} ", warpcheck::verdict_names[v]);
  }
  return result.empty() ? "ok" : result;
}

std::uint32_t number(int value) { return static_cast<std::uint32_t>(value); }

struct model {
  simt::reconvergence reconvergence;
  simt::progress progress;
};

model model_of(const naive::configuration& c) {
  return {c.reconvergence == naive::reconvergence::stack ? simt::reconvergence::stack
                                                         : simt::reconvergence::its,
          c.fair ? simt::progress::fair : simt::progress::unfair};
}

warpcheck::run_result engine(const std::filesystem::path& header, const naive::sample& sample,
                             const naive::configuration& c) {
  warpcheck::scenario s;
  s.file = "generated.toml";
  s.subject = sample.code.name;
  s.source = header;
  s.grid.blocks = number(c.blocks);
  s.grid.lanes.clear();
  for (const int lanes : c.lanes) s.grid.lanes.push_back(number(lanes));
  warpcheck::run_settings settings;
  settings.machine.reconvergence = model_of(c).reconvergence;
  settings.progress = model_of(c).progress;
  settings.machine.resident = number(c.resident);
  settings.machine.order = c.blocks_in_order ? simt::block_order::index : simt::block_order::any;
  warpcheck::session run(s, settings);
  warpcheck::limits bounds;
  bounds.max_states = 1000 * max_states;
  return check(run, bounds);
}

}  // namespace

TEST_CASE("the engine finds what the naive explorer finds") {
  const unsigned long seed = setting("WARPCHECK_COMPARE_SEED", 20);
  const auto count = static_cast<unsigned>(setting("WARPCHECK_COMPARE_COUNT", 2'000));
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-comparison-{}", getpid());
  std::filesystem::create_directories(folder);

  unsigned compared = 0;
  unsigned skipped = 0;
  unsigned ok_with_conflicts = 0;
  std::map<verdict, unsigned> with;
  for (unsigned first = 0; first < count; first += programs_in_a_header) {
    const unsigned here = std::min(programs_in_a_header, count - first);
    const auto header = folder / fmt::format("programs_{}.hpp", first);
    std::ofstream(header) << naive::emit_header(seed, first, here);
    for (unsigned index = first; index < first + here; ++index) {
      const naive::sample sample = naive::generate(seed, index);
      for (const naive::configuration& c : naive::variants(sample.config)) {
        const naive::outcome expected = naive::explore(sample.code, c, max_states);
        // (Under `stack`, the kind of a deadlock is decided by the graph under `its`.)
        naive::configuration its = c;
        its.reconvergence = naive::reconvergence::its;
        if (expected.too_large || naive::explore(sample.code, its, 10 * max_states).too_large) {
          ++skipped;
          continue;
        }
        const warpcheck::run_result got = engine(header, sample, c);
        ++compared;
        if (expected.violations == 0 && expected.contended) ++ok_with_conflicts;
        for (unsigned v = 0; v < static_cast<unsigned>(verdict::inconclusive); ++v) {
          if ((expected.violations >> v & 1U) != 0) ++with[static_cast<verdict>(v)];
        }
        INFO("seed ", seed, ", program ", index, ", ",
             model_of(c).reconvergence == simt::reconvergence::stack ? std::string("stack ")
                                                                     : "its ",
             std::string(c.fair ? "fair" : "unfair"), " (`naive_tool show` prints it)");
        CHECK(got.stopped == "");
        CHECK(names(got.found()) == names(expected.violations));
      }
    }
  }
  std::filesystem::remove_all(folder);

  std::string counts;
  for (const auto& [kind, n] : with) counts += fmt::format(", {} {}", n, warpcheck::name(kind));
  MESSAGE("seed ", seed, ": ", compared, " runs compared, ", skipped, " too large, ",
          ok_with_conflicts, " ok with conflicts", counts);
  // A generator that made only trivial programs would prove nothing.
  CHECK(ok_with_conflicts * 10 > compared);
  for (const verdict v : {verdict::barrier_divergence, verdict::simt_deadlock, verdict::deadlock,
                          verdict::assertion, verdict::race, verdict::livelock}) {
    CHECK(with[v] * 100 > compared);
  }
}
