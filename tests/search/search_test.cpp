// Searches without proof against the naive explorer: on generated programs they find what it finds,
// and nothing else.
//
// WARPCHECK_COMPARE_SEED and WARPCHECK_COMPARE_COUNT choose other programs and more of them.
#include <doctest/doctest.h>

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>

#include "checker/search/search.hpp"
#include "tests/checker/objection.hpp"
#include "tests/naive/emit.hpp"
#include "tests/naive/explore.hpp"
#include "tests/naive/generate.hpp"
#include "tests/setting.hpp"
#include "tests/tier.hpp"

namespace {

using warpcheck::bit;
using warpcheck::search_kind;
using warpcheck::verdict;
using warpcheck::verdict_set;

constexpr std::array kinds{search_kind::random, search_kind::pct, search_kind::swarm};
constexpr std::size_t max_states = 5'000;
// Of one search. All that is missed by so many is looked at below.
constexpr std::uint64_t runs = 400;

std::uint32_t number(int value) { return static_cast<std::uint32_t>(value); }

std::string list_of(verdict_set set) {
  std::string result;
  for (unsigned v = 0; v < static_cast<unsigned>(verdict::inconclusive); ++v) {
    if ((set >> v & 1U) != 0) result += fmt::format("{} ", warpcheck::verdict_names[v]);
  }
  return result.empty() ? "nothing" : result;
}

warpcheck::session session_of(const std::filesystem::path& header, const naive::sample& sample,
                              const naive::configuration& c) {
  warpcheck::scenario s;
  s.file = "generated.toml";
  s.subject = sample.code.name;
  s.source = header;
  s.grid.blocks = number(c.blocks);
  s.grid.lanes.clear();
  for (const int lanes : c.lanes) s.grid.lanes.push_back(number(lanes));
  warpcheck::run_settings settings;
  settings.machine.reconvergence = c.reconvergence == naive::reconvergence::stack
                                       ? simt::reconvergence::stack
                                       : simt::reconvergence::its;
  settings.machine.resident = number(c.resident);
  settings.machine.order = c.blocks_in_order ? simt::block_order::index : simt::block_order::any;
  return {s, settings};
}

warpcheck::search_options options_of(search_kind kind) {
  warpcheck::search_options options;
  options.kind = kind;
  options.runs = runs;
  options.steps = 2'000;
  return options;
}

}  // namespace

TEST_CASE("searches find what the naive explorer finds, and nothing else") {
  const unsigned long seed = test::setting("WARPCHECK_COMPARE_SEED", 51);
  const auto [begin, count] =
      test::due_programs(150, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-search-{}", getpid());
  std::filesystem::create_directories(folder);
  const auto header = folder / "programs.hpp";
  std::ofstream(header) << naive::emit_header(seed, begin, count - begin);

  std::map<verdict, unsigned> there, missed_by_all;
  std::map<search_kind, unsigned> missed;
  unsigned compared = 0;
  for (unsigned index = begin; index < count; ++index) {
    const naive::sample sample = naive::generate(seed, index);
    for (const naive::configuration& c : naive::variants(sample.config)) {
      if (c.progress != naive::progress::fair) continue;  // what fairness decides is not looked for
      const naive::outcome expected = naive::explore(sample.code, c, max_states);
      naive::configuration its = c;  // decides the kind of a deadlock
      its.reconvergence = naive::reconvergence::its;
      if (expected.too_large || naive::explore(sample.code, its, 10 * max_states).too_large) {
        continue;
      }
      ++compared;
      const verdict_set all = expected.violations & ~bit(verdict::livelock);
      verdict_set together = 0;
      const std::string model = c.reconvergence == naive::reconvergence::stack ? "stack" : "its";
      INFO("seed ", seed, ", program ", index, ", ", model, " (`naive_tool show` prints it)");
      warpcheck::session run = session_of(header, sample, c);
      for (const search_kind kind : kinds) {
        CAPTURE(name(kind));
        const warpcheck::run_result got = warpcheck::search(run, {}, options_of(kind));
        CHECK_FALSE(got.complete);
        CHECK(got.gravest != verdict::ok);
        const verdict_set wrong = got.found() & ~all;
        CHECK(list_of(wrong) == "nothing");
        together |= got.found();
        if (got.found() != all) ++missed[kind];
        for (const warpcheck::violation& v : got.violations) {
          CAPTURE(warpcheck::name(v.kind));
          CHECK(test::objection(run, v) == "");
        }
      }
      for (unsigned v = 0; v < static_cast<unsigned>(verdict::inconclusive); ++v) {
        const auto kind = static_cast<verdict>(v);
        if ((all & bit(kind)) == 0) continue;
        ++there[kind];
        if ((together & bit(kind)) != 0) continue;
        ++missed_by_all[kind];
        MESSAGE("program ", index, ", ", model, ": ", name(kind), " missed by all");
      }
    }
  }
  std::filesystem::remove_all(folder);
  MESSAGE("seed ", seed, ": ", compared, " runs compared");
  for (const auto& [kind, n] : missed) MESSAGE(n, " sets not found in full by ", name(kind));
  for (const auto& [kind, n] : there) {
    MESSAGE(n, " ", name(kind), ", ", missed_by_all[kind], " missed by all");
    CHECK(missed_by_all[kind] == 0);
  }
  if (!test::is_thorough()) return;  // what a tenth of them shows varies
  for (const verdict v : {verdict::barrier_divergence, verdict::simt_deadlock, verdict::deadlock,
                          verdict::assertion, verdict::race}) {
    CHECK(there[v] * 100 > compared);
  }
}

TEST_CASE("the bound of PCT") {
  CHECK(warpcheck::pct_bound(4, 100, 1) == doctest::Approx(0.25));
  CHECK(warpcheck::pct_bound(4, 100, 2) == doctest::Approx(0.0025));
  CHECK(warpcheck::pct_bound(256, 1'000, 3) == doctest::Approx(1 / 256e6));
  CHECK(warpcheck::pct_bound(1, 1, 9) == doctest::Approx(1));
}
