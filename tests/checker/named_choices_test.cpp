// Names of choices under weak memory: a session that has learnt nothing finds the choices again.
#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "checker/check/check.hpp"
#include "checker/run/counterexample_file.hpp"
#include "checker/run/facts_json.hpp"
#include "tests/checker/objection.hpp"
#include "tests/checker/run_source.hpp"

namespace {

using simt::choice;
using simt::choice_name;
using warpcheck::named_execution;

constexpr const char* load_buffering =
    "const bool first = simt::block_index() == 0;\n"
    "const int seen = (first ? x : y).load(simt::memory_order_relaxed);\n"
    "(first ? y : x).store(1, simt::memory_order_relaxed);\n"
    "if (seen == 1) (first ? a : b).store(1, simt::memory_order_relaxed);";

test::source_run buffering_run() {
  test::source_run run(
      test::kernel("simt::atomic<int, simt::thread_scope_device> x{0}, y{0}, a{0}, b{0};",
                   load_buffering, "return a.load() == 0 || b.load() == 0;"),
      {2, {1}});
  run.how.machine.memory = simt::memory_model::ptx;
  return run;
}

std::vector<std::string> texts(const named_execution& named, const simt::grid_shape& grid) {
  std::vector<std::string> all;
  for (const auto* const list : {&named.prefix, &named.cycle}) {
    for (const choice_name& one : *list) {
      all.push_back(to_text(one, grid));
      CHECK(simt::choice_name_from(all.back(), grid) == one);
    }
  }
  return all;
}

bool has(const named_execution& named, choice::kind what) {
  return std::ranges::any_of(named.prefix, [&](const choice_name& n) { return n.by.what == what; });
}

/// Finds the choices of each violation in a session that has learnt nothing. Returns how many
/// violations rest on promises.
int found_again(const warpcheck::scenario& what, const warpcheck::run_settings& how) {
  warpcheck::session run(what, how);
  warpcheck::limits bounds;
  bounds.threads = 1;
  const warpcheck::run_result result = check(run, bounds);
  int with_promises = 0;
  for (const warpcheck::violation& v : result.violations) {
    const named_execution named = names_of_choices(run, v.how);
    const std::vector<std::string> said = texts(named, run.subject().grid);
    CAPTURE(
        fmt::format("{} {} {}: {}", what.subject, how.name, name(v.kind), fmt::join(said, "; ")));
    warpcheck::session other(what, how);
    const warpcheck::found_execution found = find_choices(other, named);
    CHECK(found.lost.empty());
    CHECK(test::objection(other, {v.kind, found.how, v.detail}).empty());
    // What was learnt in another order gives the same names.
    CHECK(texts(names_of_choices(other, found.how), run.subject().grid) == said);
    if (has(named, choice::kind::promise)) ++with_promises;
  }
  return with_promises;
}

}  // namespace

TEST_CASE("names of choices as text") {
  const simt::grid_shape grid{2, {1, 2}};
  for (const char* const text :
       {"b1.w1.l0", "b0.w0.l0 chooses 2", "b1 dispatch", "b0.w1 group 0x3", "b0.w1.l1 older 3",
        "b0.w1.l1 older 1 (object+4 is 0)", "b0.w1.l1 older 0+2 (flag is &object+8)",
        "b0.w1.l1 keeps 1+1 (flag is 1)", "b1.w0.l0 phase 1 (b0.shared 0)",
        "b1.w0.l0 promises flag = 1 by a release store for gpu, older 0 (behind 0)",
        "b1.w0.l0 promises object+12 = 5 by a weak store, older 2+1 (behind 7)"}) {
    CHECK(to_text(simt::choice_name_from(text, grid), grid) == text);
  }
  for (const char* const text :
       {"", "b0.w1.l1 (x)", "b0.w1.l1 older (x)", "b0.w1.l1 older 1+ (x)", "b0.w1.l1 newer 1 (x)",
        "b2.w0.l0 older 1 (x)", "b0 older 1 (x)", "b0.w1.l1 promises x = 1 (x)",
        "b0.w1.l1 older 1 (x", "b0.w1.l1 phase 1+1 (x)", "(x)", "b0.w1.l1 older 1 1 (x)"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(simt::choice_name_from(text, grid), std::invalid_argument);
  }
}

TEST_CASE("a session that has learnt nothing finds the choices that are named") {
  int with_promises = 0;
  for (const char* const file :
       {"idioms/load_buffering", "idioms/load_buffering_lanes",
        "idioms/double_checked_relaxed_lanes", "idioms/message_one_fence",
        "deques/cederman_tsigas_lb_again", "barriers/never_reset", "barriers/atomic_two_stage_two",
        "barriers/atomic_counter_at_least", "counters/lost_update",
        "pipelines/rings/ring_one_too_many", "stacks/treiber_store"}) {
    const warpcheck::scenario what =
        warpcheck::read_scenario(fmt::format("scenarios/{}.toml", file));
    for (const warpcheck::run_settings& how : what.runs) {
      if (how.machine.memory == simt::memory_model::ptx) with_promises += found_again(what, how);
    }
  }
  CHECK(with_promises > 5);
}

TEST_CASE("promises behind votes") {
  test::source_run run(
      test::kernel("simt::atomic<int, simt::thread_scope_device> x{0}, y{0}, a{0}, b{0};",
                   "const bool first = simt::block_index() == 0, leads = simt::lane_index() == 0;\n"
                   "int seen = 0;\n"
                   "if (leads) seen = (first ? x : y).load(simt::memory_order_relaxed);\n"
                   "const bool all = simt::all(3, true);\n"
                   "if (leads && all) (first ? y : x).store(1, simt::memory_order_relaxed);\n"
                   "if (seen == 1) (first ? a : b).store(1, simt::memory_order_relaxed);",
                   "return a.load() == 0 || b.load() == 0;"),
      {2, {2}});
  run.how.machine.memory = simt::memory_model::ptx;
  CHECK(found_again(run.what, run.how) == 1);
}

TEST_CASE("a promise is named by what it stores") {
  const test::source_run source = buffering_run();
  warpcheck::session run(source.what, source.how);
  const warpcheck::run_result result = check(run, source.bounds);
  REQUIRE(!result.violations.empty());
  named_execution named = names_of_choices(run, result.violations.front().how);
  const auto promise = std::ranges::find(named.prefix, choice::kind::promise,
                                         [](const choice_name& n) { return n.by.what; });
  REQUIRE(promise != named.prefix.end());
  CHECK(promise->store == "object+4 = 1 by a relaxed store for gpu");
  warpcheck::session same(source.what, source.how);
  CHECK(find_choices(same, named).lost.empty());
  promise->store = "object+4 = 2 by a relaxed store for gpu";
  warpcheck::session other(source.what, source.how);
  CHECK(find_choices(other, named).lost == fmt::format("choice {}, \"{}\": this cannot happen here",
                                                       promise - named.prefix.begin() + 1,
                                                       to_text(*promise, run.subject().grid)));
}

TEST_CASE("files of both versions are read") {
  const auto file =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-named-{}.json", getpid());
  const test::source_run source = buffering_run();
  warpcheck::session run(source.what, source.how);
  const warpcheck::run_result result = check(run, source.bounds);
  REQUIRE(!result.violations.empty());
  const warpcheck::violation& v = result.violations.front();
  const auto replays = [&] {
    using warpcheck::trusted_sources;
    auto saved = warpcheck::read_counterexample(file, trusted_sources::all);
    saved.what.source = source.what.source;
    warpcheck::session other(saved.what, saved.settings());
    CHECK(find_choices(other, saved).empty());
    CHECK(test::objection(other, saved.found).empty());
  };
  write_counterexample(file, run, v, "test.toml", "test");
  nlohmann::ordered_json document = nlohmann::ordered_json::parse(std::ifstream(file));
  CHECK(document["version"] == 2);
  CHECK(!document.contains("memory_facts"));
  document["scenario"]["source"] = source.what.source->string();
  std::ofstream(file, std::ios::trunc) << document;
  replays();

  document["version"] = 1;
  document["choices"].clear();
  for (const choice& by : v.how.prefix)
    document["choices"].push_back(to_text(by, run.subject().grid));
  std::ofstream(file, std::ios::trunc) << document;
  CHECK_THROWS_WITH_AS(
      warpcheck::read_counterexample(file, warpcheck::trusted_sources::all),
      doctest::Contains("\"memory_facts\" is missing; `warpcheck run FILE --counterexamples DIR`"),
      warpcheck::usage_error);
  document["memory_facts"] = warpcheck::to_json(run.facts().now());
  std::ofstream(file, std::ios::trunc) << document;
  replays();
  document["version"] = 3;
  std::ofstream(file, std::ios::trunc) << document;
  CHECK_THROWS_WITH_AS(
      warpcheck::read_counterexample(file, warpcheck::trusted_sources::all),
      doctest::Contains("\"version\" is neither 1 nor 2: another warpcheck wrote this file"),
      warpcheck::usage_error);
  std::filesystem::remove(file);
}
