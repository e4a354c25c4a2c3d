// The engine against the naive explorer on grids of several blocks, under every progress model,
// with weak and with strong fairness.
//
// WARPCHECK_COMPARE_SEED, _FIRST and _COUNT choose other programs and more of them.
#include <doctest/doctest.h>

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>

#include "checker/check/check.hpp"
#include "tests/checker/objection.hpp"
#include "tests/naive/emit.hpp"
#include "tests/naive/explore.hpp"
#include "tests/naive/generate.hpp"
#include "tests/naive/session_of.hpp"
#include "tests/setting.hpp"
#include "tests/tier.hpp"

namespace {

using warpcheck::bit;
using warpcheck::verdict;

constexpr unsigned programs_in_a_header = 150;
constexpr std::size_t max_states = 3'000;

}  // namespace

TEST_CASE("the engine finds what the naive explorer finds, under every progress model") {
  const unsigned long seed = test::setting("WARPCHECK_COMPARE_SEED", 21);
  const auto [begin, end] =
      test::due_programs(120, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-progress-{}", getpid());
  std::filesystem::create_directories(folder);
  const std::array reduce{warpcheck::reductions::none(), warpcheck::reductions{},
                          warpcheck::reductions_from("order"),
                          warpcheck::reductions_from("symmetry")};

  unsigned compared = 0;
  unsigned skipped = 0;
  std::map<std::string, unsigned> livelocks;  // by model
  for (unsigned first = begin; first < end; first += programs_in_a_header) {
    const unsigned here = std::min(programs_in_a_header, end - first);
    const auto header = folder / fmt::format("programs_{}.hpp", first);
    std::ofstream(header) << naive::emit_header(seed, first, here, naive::grids::several_blocks);
    for (unsigned index = first; index < first + here; ++index) {
      const naive::sample sample = naive::generate(seed, index, naive::grids::several_blocks);
      for (const naive::configuration& c : naive::progress_variants(sample.config)) {
        const naive::outcome expected = naive::explore(sample.code, c, max_states);
        naive::configuration its = c;
        its.reconvergence = naive::reconvergence::its;
        if (expected.too_large || naive::explore(sample.code, its, 10 * max_states).too_large) {
          ++skipped;
          continue;
        }
        ++compared;
        const std::string model = test::model_of(c);
        if ((expected.violations & bit(verdict::livelock)) != 0) ++livelocks[model];
        INFO("seed ", seed, ", program ", index, ", ", model);
        warpcheck::session run = test::session_of(header, sample, c);
        warpcheck::limits bounds;
        bounds.max_states = 1000 * max_states;
        for (std::size_t i = 0; i < reduce.size(); ++i) {
          CAPTURE(to_text(reduce[i]));
          const warpcheck::run_result got = check(run, bounds, reduce[i]);
          if (i == 0) {
            warpcheck::limits together = bounds;
            together.threads = 2;
            together.share_after = 0;
            CHECK(test::list_of(check(run, together, reduce[i]).found()) ==
                  test::list_of(got.found()));
          }
          CHECK(got.stopped == "");
          CHECK(test::list_of(got.found()) == test::list_of(expected.violations));
          for (const warpcheck::violation& v : got.violations) {
            CAPTURE(warpcheck::name(v.kind));
            CHECK(test::objection(run, v) == "");
          }
        }
      }
    }
  }
  std::filesystem::remove_all(folder);

  std::string counts;
  for (const auto& [model, n] : livelocks) counts += fmt::format("{} {}, ", model, n);
  MESSAGE("seed ", seed, ": ", compared, " runs compared, ", skipped,
          " too large, livelocks: ", counts);
  if (!test::is_thorough()) return;  // what a tenth of them shows varies
  // The programs tell the models apart, and weak from strong fairness.
  for (const char* reconvergence : {"its", "stack"}) {
    const auto count = [&](const char* model) {
      return livelocks[fmt::format("{} {}", reconvergence, model)];
    };
    CHECK(count("unfair weak") > count("obe weak"));
    CHECK(count("obe weak") > count("hsa_obe weak"));
    CHECK(count("hsa weak") > count("hsa_obe weak"));
    CHECK(count("hsa_obe weak") >= count("lobe weak"));
    CHECK(count("lobe weak") > count("fair weak"));
    for (const char* model : {"obe", "hsa", "hsa_obe", "lobe"}) {
      CHECK(count(fmt::format("{} weak", model).c_str()) >=
            count(fmt::format("{} strong", model).c_str()));
      CHECK(count(fmt::format("{} strong", model).c_str()) > 0);
    }
    CHECK(count("fair strong") == 0);
  }
}
