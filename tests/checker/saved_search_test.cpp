// Searches that are stopped, saved and gone on with find what one search finds.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "checker/check/check.hpp"
#include "checker/check/saved_search.hpp"
#include "checker/explore/explorer.hpp"
#include "checker/explore/reduced_machine.hpp"
#include "checker/scenario/scenario.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/tier.hpp"

namespace {

namespace fs = std::filesystem;
using warpcheck::limits;
using warpcheck::reductions;
using warpcheck::run_result;

/// A folder that goes with the test.
struct scratch {
  fs::path folder = fs::temp_directory_path() / fmt::format("warpcheck-saved-{}", getpid());
  scratch() { fs::create_directories(folder); }
  ~scratch() { fs::remove_all(folder); }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  [[nodiscard]] fs::path file() const { return folder / "one.search"; }
};

/// How often a search was to go on, and how often it did: where something turned out just when it
/// was saved, its round begins anew. And how often what is closed stays so (else the checker begins
/// anew in the end: docs/performance.md).
struct {
  unsigned all = 0;
  unsigned resumed = 0;
  unsigned closed = 0;
} goings_on;

/// Whether, in a session that goes on, steps from closed states lead to such. (Not so where such a
/// step shows that states were taken for alike that are not: what a search shows before it stops
/// depends on its order, and so, with two threads, on the time.)
void count_if_closed(const fs::path& file, warpcheck::session& run, const reductions& reduce) {
  simt::lane_automaton lanes(run.lanes(), reduce.merge);
  warpcheck::reduced_machine reduced(run, lanes, reduce);
  warpcheck::saved_search earlier(file, run, reduce);
  if (!earlier.restore(run, reduced)) {
    ++goings_on.closed;
    return;
  }
  const limits bounds;
  warpcheck::explorer search(*reduced.machine, {}, bounds, earlier.earlier());
  if (search.is_closed_under_steps()) ++goings_on.closed;
}

/// Stops, saves and goes on again and again, each time with a session of its own. All of them live
/// on, so that none has its memory where another one had it.
run_result in_parts(const warpcheck::scenario& what, const warpcheck::run_settings& how,
                    const reductions& reduce, const fs::path& file, std::uint32_t threads) {
  fs::remove(file);
  std::vector<std::unique_ptr<warpcheck::session>> sessions;
  for (std::uint64_t most = 2;; most += most / 2 + 1) {
    limits bounds;
    bounds.threads = threads;
    bounds.share_after = 0;
    bounds.max_states = most;
    bounds.files = {file, file};
    sessions.push_back(std::make_unique<warpcheck::session>(what, how));
    run_result result = check(*sessions.back(), bounds, reduce);
    if (sessions.size() > 1) {
      ++goings_on.all;
      if (result.resumed) ++goings_on.resumed;
    }
    if (result.complete) return result;
    REQUIRE(result.saved == file);
    REQUIRE(most < 10'000'000);
    sessions.push_back(std::make_unique<warpcheck::session>(what, how));
    count_if_closed(file, *sessions.back(), tolerated(*sessions.back(), reduce));
  }
}

void expect_same(const run_result& whole, const run_result& parts) {
  CHECK(parts.complete);
  CHECK(parts.gravest == whole.gravest);
  CHECK(parts.found() == whole.found());
}

void expect_same_counterexamples(const run_result& whole, const run_result& parts) {
  REQUIRE(parts.violations.size() == whole.violations.size());
  for (std::size_t i = 0; i < whole.violations.size(); ++i) {
    CHECK(parts.violations[i].how.prefix == whole.violations[i].how.prefix);
    CHECK(parts.violations[i].how.cycle == whole.violations[i].how.cycle);
  }
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

warpcheck::scenario lock(const std::string& name, std::uint32_t lanes, std::uint32_t repeat) {
  warpcheck::scenario what;
  what.file = "test.toml";
  what.subject = "locks/" + name;
  what.workload = "counter";
  what.repeat = repeat;
  what.grid.lanes = {lanes};
  return what;
}

/// Whether it was compared: not if there are more than `most` states.
bool compare(const warpcheck::scenario& what, const warpcheck::run_settings& how,
             const reductions& reduce, const fs::path& file,
             std::optional<std::uint64_t> most = std::nullopt) {
  INFO(what.file.string(), " ", to_text(reduce));
  warpcheck::session run(what, how);
  limits bounds;
  bounds.max_states = most;
  const run_result whole = check(run, bounds, reduce);
  if (most && !whole.complete) return false;
  for (const std::uint32_t threads : {1U, 2U}) {
    const run_result parts = in_parts(what, how, reduce, file, threads);
    expect_same(whole, parts);
    // (Others are made shorter by another exploration, which has the same limits.)
    if (reduce == reductions::none()) expect_same_counterexamples(whole, parts);
    // Attempts to prove states dead, and what lanes may be renamed to, depend on the order.
    if (reduce.dead || whole.renamings != 0) continue;
    if (reduce.order) {
      // Of an earlier part there may be states left that a search with all that is known now
      // passes. And what the parts before have learnt of footprints may save states from the
      // beginning on, which the whole search met before it knew.
      CHECK(parts.states * 2 >= whole.states);
      continue;
    }
    CHECK(parts.states == whole.states);
    CHECK(parts.transitions == whole.transitions);
  }
  return true;
}

}  // namespace

TEST_CASE("shipped scenarios in parts") {
  const scratch here;
  constexpr std::uint64_t most = 20'000;  // kernels have many more without reductions
  // One in ten: each is stopped some ten times, in eight ways.
  for (unsigned number = 0; const auto& file : warpcheck::scenario_files({"scenarios"})) {
    if (number++ % 10 != 0) continue;
    const warpcheck::scenario what = warpcheck::read_scenario(file);
    if (what.generate || !what.threads.empty()) continue;  // objects: objects_test.cpp
    if (what.never_ends()) continue;                       // what they ask is not saved
    for (const warpcheck::run_settings& how : what.runs) {
      if (how.machine.memory != simt::memory_model::sc) continue;  // below
      if (!test::is_due(file.string() + how.name)) continue;
      for (const reductions& reduce :
           {reductions{}, reductions::none(), reductions{true, true, true, false},
            reductions{true, true, false, false}}) {
        compare(what, how, reduce, here.file(), most);
      }
    }
  }
  MESSAGE(goings_on.all, " searches gone on with, ", goings_on.resumed, " resumed, ",
          goings_on.closed, " closed");
  if (test::is_thorough()) CHECK(goings_on.resumed * 10 > goings_on.all * 9);
  if (test::is_thorough()) CHECK(goings_on.closed * 10 > goings_on.all * 9);
}

TEST_CASE("shipped scenarios in parts, where memory is weak") {
  const scratch here;
  goings_on = {};
  constexpr std::uint64_t most = 2'000;
  unsigned compared = 0;
  for (unsigned number = 0; const auto& file : warpcheck::scenario_files({"scenarios"})) {
    const warpcheck::scenario what = warpcheck::read_scenario(file);
    if (what.generate || !what.threads.empty()) continue;
    for (const warpcheck::run_settings& how : what.runs) {
      if (how.machine.memory != simt::memory_model::ptx || number++ % 40 != 0) continue;
      if (!test::is_due(file.string() + how.name)) continue;
      for (const reductions& reduce : {reductions{}, reductions::none()}) {
        if (compare(what, how, reduce, here.file(), most)) ++compared;
      }
    }
  }
  if (test::is_thorough()) CHECK(compared > 12);
  MESSAGE(goings_on.all, " searches gone on with, ", goings_on.resumed, " resumed, ",
          goings_on.closed, " closed");
  if (test::is_thorough()) CHECK(goings_on.resumed * 10 > goings_on.all * 9);
  if (test::is_thorough()) CHECK(goings_on.closed * 10 > goings_on.all * 9);
}

TEST_CASE("larger searches in parts") {
  const scratch here;
  warpcheck::run_settings fair;
  warpcheck::run_settings unfair;
  unfair.progress = simt::progress::unfair;
  compare(lock("ttas", 4, 2), fair, reductions::none(), here.file());
  if (test::is_due("parts of ticket")) {
    compare(lock("ticket", 4, 2), unfair, reductions::none(), here.file());
  }
  if (test::is_due("parts of ttas")) compare(lock("ttas", 16, 2), fair, {}, here.file());
  compare(lock("mcs", 4, 2), fair, {}, here.file());
}

TEST_CASE("addresses in device memory are those of the process that goes on") {
  const scratch here;
  const std::string members =
      "simt::atomic<int> slots[3];\n"
      "simt::atomic<simt::atomic<int>*> last{nullptr};\n";
  const std::string body =
      "auto* const mine = &slots[simt::thread_rank()];\n"
      "auto* const before = last.exchange(mine);\n"
      "if (before != nullptr) before->fetch_add(1);\n"
      "mine->fetch_add(1);\n";
  const std::string check =
      "return slots[0].load() > 0 && slots[1].load() > 0 && slots[2].load() > 0;";
  test::source_run source(test::kernel(members, body, check), {1, {3}});
  for (const auto memory : {simt::memory_model::sc, simt::memory_model::ptx}) {
    source.how.machine.memory = memory;  // if it is weak, messages hold addresses, too
    for (const std::string reduce : {"none", "merge", "merge,symmetry,order"}) {
      const bool is_weak = memory == simt::memory_model::ptx;
      const bool always = reduce == (is_weak ? "merge,symmetry,order" : "none");
      if (!always && !test::is_due(reduce + (is_weak ? ", weak" : ""))) continue;
      compare(source.what, source.how, warpcheck::reductions_from(reduce), here.file());
    }
  }
}

TEST_CASE("without promises, in parts") {
  const scratch here;
  test::source_run source(
      test::kernel(
          "simt::atomic<int, simt::thread_scope_device> x{0}, y{0}, sum{0};",
          "const bool first = simt::block_index() == 0;\n"
          "auto& mine = first ? x : y; auto& other = first ? y : x;\n"
          "sum.fetch_add(mine.load(simt::memory_order_relaxed), simt::memory_order_relaxed);\n"
          "other.store(1, simt::memory_order_relaxed);"),
      {2, {1}});
  warpcheck::run_settings how;
  how.machine.memory = simt::memory_model::ptx;
  how.machine.promises = false;
  warpcheck::session run(source.what, how);
  const run_result whole = check(run, {}, {});
  CHECK(whole.stopped == "without load buffering");
  limits bounds;
  bounds.max_states = 8;
  bounds.files = {here.file(), here.file()};
  warpcheck::session first(source.what, how);
  REQUIRE(check(first, bounds, {}).saved);
  bounds.max_states.reset();
  warpcheck::session second(source.what, how);
  const run_result rest = check(second, bounds, {});
  CHECK(rest.resumed);
  CHECK(rest.stopped == whole.stopped);
  CHECK(rest.states == whole.states);
}

TEST_CASE("states in files") {
  const scratch here;
  limits bounds;
  bounds.storage.spill_directory = here.folder;
  warpcheck::run_settings weak;
  weak.machine.memory = simt::memory_model::ptx;
  for (const auto& [what, how] :
       {std::pair{lock("ttas", 4, 2), warpcheck::run_settings{}}, {lock("ttas", 3, 1), weak}}) {
    warpcheck::session run(what, how);
    const run_result whole = check(run, {}, reductions::none());
    warpcheck::session again(what, how);
    const run_result spilled = check(again, bounds, reductions::none());
    expect_same(whole, spilled);
    CHECK(spilled.states == whole.states);
    CHECK(spilled.peak_bytes < whole.peak_bytes);
    CHECK(fs::is_empty(here.folder));  // they have no names
  }

  warpcheck::session run(lock("ttas", 4, 2), {});
  bounds.storage.spill_directory = here.folder / "missing";
  CHECK_THROWS(check(run, bounds, reductions::none()));
}

TEST_CASE("files that are damaged, or of something else") {
  const scratch here;
  const warpcheck::scenario what = lock("ttas", 3, 2);
  limits stop;
  stop.max_states = 500;
  stop.files.save = here.file();
  warpcheck::run_settings as_saved;
  SUBCASE("memory in order") {}
  SUBCASE("weak memory") { as_saved.machine.memory = simt::memory_model::ptx; }
  {
    warpcheck::session run(what, as_saved);
    REQUIRE(check(run, stop, reductions::none()).saved);
  }
  const auto objection = [&](const warpcheck::scenario& other, const warpcheck::run_settings& how,
                             const reductions& reduce) {
    limits resume;
    resume.files.resume = here.file();
    warpcheck::session run(other, how);
    try {
      check(run, resume, reduce);
    } catch (const warpcheck::usage_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  warpcheck::run_settings unfair = as_saved;
  unfair.progress = simt::progress::unfair;
  CHECK(objection(what, as_saved, reductions::none()).empty());
  CHECK(contains(objection(what, as_saved, {}), "of another list of reductions"));
  CHECK(contains(objection(what, unfair, reductions::none()), "of another run"));
  CHECK(
      contains(objection(lock("ttas", 3, 1), as_saved, reductions::none()), "of another scenario"));
  CHECK(
      contains(objection(lock("tas", 3, 2), as_saved, reductions::none()), "of another scenario"));
  if (as_saved.machine.memory == simt::memory_model::ptx) {
    warpcheck::run_settings without = as_saved;
    without.machine.promises = false;
    CHECK(contains(objection(what, without, reductions::none()),
                   "of another choice about load buffering"));
  }

  std::ifstream in(here.file(), std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  const std::string whole = text.str();
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    std::string broken = whole;
    if (i % 3 == 0) {
      broken.resize(random() % whole.size());
    } else {
      broken[random() % (i % 3 == 1 ? whole.size() : 300)] ^= static_cast<char>(1 << random() % 8);
    }
    if (!test::is_due("damage " + std::to_string(i))) continue;
    std::ofstream(here.file(), std::ios::binary) << broken;
    INFO(i);
    CHECK(!objection(what, as_saved, reductions::none()).empty());
  }
}
