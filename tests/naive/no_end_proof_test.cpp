// States that are proved to be dead, against the whole graph: shipped scenarios and generated
// programs.
//
// WARPCHECK_COMPARE_SEED and WARPCHECK_COMPARE_COUNT choose other programs and more of them.
#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "tests/naive/emit.hpp"
#include "tests/naive/generate.hpp"
#include "tests/naive/proof_oracle.hpp"
#include "tests/setting.hpp"
#include "tests/shipped.hpp"
#include "tests/tier.hpp"

namespace {

constexpr unsigned programs_in_a_header = 250;
// Without reductions: of generated programs, and of what is shipped.
constexpr std::uint64_t max_states = 20'000;
constexpr std::uint64_t most_shipped = 50'000;

std::uint32_t number(int value) { return static_cast<std::uint32_t>(value); }

std::string name(simt::reconvergence model) {
  return model == simt::reconvergence::stack ? "stack" : "its";
}

}  // namespace

TEST_CASE("what is proved dead is dead: shipped scenarios") {
  test::proof_counts all;
  test::proof_counts plain;  // subjects whose lanes do not tell each other by number
  for (const auto& file : warpcheck::scenario_files({"scenarios"})) {
    const warpcheck::scenario what = warpcheck::read_scenario(file);
    if (what.generate || what.never_ends()) continue;
    for (const warpcheck::run_settings& how : what.runs) {
      if (how.progress == simt::progress::unfair) continue;
      if (how.machine.memory != simt::memory_model::sc) continue;  // it is off there
      if (!test::is_due(file.string() + how.name)) continue;
      INFO(file.string(), " ", name(how.machine.reconvergence));
      const test::proof_counts counts = test::check_proofs(what, how, most_shipped);
      all += counts;
      if (what.subject.find("mcs") == std::string::npos) plain += counts;
      // Of objects, and of kernels of many lanes, those that are small enough are looked at.
      // (What is to be sorted, or searched, is drawn: few lanes have many states.)
      const bool is_small = what.threads.empty() && !test::has_many_lanes(file) &&
                            !what.subject.starts_with("sorting/") &&
                            !what.subject.starts_with("graphs/");
      if (is_small) CHECK(counts.too_large == 0);
      if (file.stem() == "tas" || file.stem() == "ticket" || file.stem() == "flag_chain") {
        CHECK((counts.known.proved > 0) ==
              (how.machine.reconvergence == simt::reconvergence::stack));
      }
    }
  }
  MESSAGE(all.text());
  // Most, but not all; of queues of lanes (MCS) less is known.
  if (!test::is_thorough()) return;
  CHECK(plain.known.proved * 4 > plain.calm * 3);
  CHECK(all.known.proved * 3 > all.calm);
}

TEST_CASE("what is proved dead is dead: generated programs") {
  const unsigned long seed = test::setting("WARPCHECK_COMPARE_SEED", 70);
  const auto [begin, count] =
      test::due_programs(500, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-proofs-{}", getpid());
  std::filesystem::create_directories(folder);

  test::proof_counts by_model[2];
  for (unsigned first = begin; first < count; first += programs_in_a_header) {
    const unsigned here = std::min(programs_in_a_header, count - first);
    const auto header = folder / fmt::format("programs_{}.hpp", first);
    std::ofstream(header) << naive::emit_header(seed, first, here);
    for (unsigned index = first; index < first + here; ++index) {
      const naive::sample sample = naive::generate(seed, index);
      warpcheck::scenario what;
      what.file = "generated.toml";
      what.subject = sample.code.name;
      what.source = header;
      what.grid.blocks = number(sample.config.blocks);
      what.grid.lanes.clear();
      for (const int lanes : sample.config.lanes) what.grid.lanes.push_back(number(lanes));
      warpcheck::run_settings how;
      how.machine.resident = number(sample.config.resident);
      how.machine.order =
          sample.config.blocks_in_order ? simt::block_order::index : simt::block_order::any;
      for (const auto model : {simt::reconvergence::its, simt::reconvergence::stack}) {
        how.machine.reconvergence = model;
        INFO("seed ", seed, ", program ", index, ", ", name(model),
             " (`naive_tool show` prints it)");
        by_model[model == simt::reconvergence::stack ? 1 : 0] +=
            test::check_proofs(what, how, max_states);
      }
    }
  }
  std::filesystem::remove_all(folder);
  for (const auto model : {simt::reconvergence::its, simt::reconvergence::stack}) {
    const test::proof_counts& counts = by_model[model == simt::reconvergence::stack ? 1 : 0];
    MESSAGE("seed ", seed, ", ", name(model), ": ", counts.text());
    if (!test::is_thorough()) continue;  // what a tenth of them shows varies
    CHECK(counts.known.proved * 4 > counts.calm);
    CHECK(counts.any.proved * 2 > counts.calm);
  }
}
