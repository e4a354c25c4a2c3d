// memory = "ptx" in the engine: what weak memory may do to small kernels, and that it does whatever
// sequential consistency does.
#include <doctest/doctest.h>

#include <filesystem>

#include <fmt/format.h>

#include "checker/check/check.hpp"
#include "checker/report/names.hpp"
#include "checker/report/trace.hpp"
#include "checker/scenario/scenario.hpp"
#include "tests/checker/objection.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/checker/under_ptx.hpp"
#include "tests/tier.hpp"

namespace {

using test::kernel;
using test::under_ptx::found;
using test::under_ptx::two_atomics;

}  // namespace

TEST_CASE("store buffering needs fence.sc") {
  const auto body = [](const std::string& fence) {
    return "auto& mine = first ? x : y; auto& other = first ? y : x;\n"
           "mine.store(1, simt::memory_order_relaxed);\n" +
           fence +
           "const int none = other.load(simt::memory_order_relaxed) == 0;\n"
           "simt::check(sum.fetch_add(none, simt::memory_order_relaxed) + none < 2, \"both\");";
  };
  CHECK(found(two_atomics, body("")) == "assertion");
  CHECK(found(two_atomics, body("simt::atomic_thread_fence(simt::memory_order_acq_rel, "
                                "simt::thread_scope_device);\n")) == "assertion");
  CHECK(found(two_atomics, body("simt::atomic_thread_fence(simt::memory_order_seq_cst, "
                                "simt::thread_scope_device);\n")) == "ok");
  // A fence for the block alone orders nothing between blocks.
  CHECK(found(two_atomics, body("simt::atomic_thread_fence(simt::memory_order_seq_cst, "
                                "simt::thread_scope_block);\n")) == "assertion");
}

TEST_CASE("memory is fair: who spins sees the store in the end") {
  CHECK(found(two_atomics,
              "if (first) x.store(1, simt::memory_order_relaxed);\n"
              "else while (x.load(simt::memory_order_relaxed) == 0) {}") == "ok");
  // Exchanges of the old value do not keep the store away for ever.
  CHECK(found(two_atomics,
              "if (first) x.store(2, simt::memory_order_relaxed);\n"
              "else while (x.exchange(1, simt::memory_order_relaxed) != 2) {}") == "ok");
  // Nobody stores: that is another matter.
  CHECK(found(two_atomics, "if (!first) while (x.load(simt::memory_order_relaxed) == 0) {}") ==
        "deadlock");
}

TEST_CASE("updates whose results nobody uses race if they are not strong for each other") {
  const auto adds = [](const char* scope, const char* other_scope) {
    const auto add = [](const char* of) {
      return fmt::format(
          "simt::atomic_ref<int, simt::thread_scope_{}>(data).fetch_add(1, "
          "simt::memory_order_relaxed);",
          of);
    };
    return fmt::format("if (first) {} else {}", add(scope), add(other_scope));
  };
  CHECK(found(two_atomics, adds("device", "device")) == "ok");
  CHECK(found(two_atomics, adds("thread", "device")) == "race");
  CHECK(found(two_atomics, adds("thread", "thread")) == "race");
  CHECK(found(two_atomics, adds("block", "device")) == "race");
}

TEST_CASE("a block's shared memory needs no wider scope than the block") {
  const auto result = [](const char* scope, const char* of) {
    test::source_run run(
        kernel("int sums[2]{};",
               fmt::format("int& own = simt::block_shared<int>();\n"
                           "int& x = {};\n"
                           "simt::atomic_ref<int, simt::thread_scope_{}>(x).fetch_add(1, "
                           "simt::memory_order_relaxed);\n"
                           "simt::syncthreads();\n"
                           "if (simt::lane_index() == 0) sums[simt::block_index()] += own;",
                           of, scope)),
        {2, {2}});
    run.how.machine.memory = simt::memory_model::ptx;
    return run.found();
  };
  CHECK(result("block", "own") == "ok");
  CHECK(result("thread", "own") == "race");
  CHECK(result("block", "sums[0]") == "race");
}

TEST_CASE("read-modify-writes pass on what a release told") {
  const auto body = [](const char* order) {
    return std::string(
               "if (first) { data = 1; x.store(1, simt::memory_order_release); }\n"
               "else if (simt::block_index() == 1) {\n"
               "  int one = 1;\n"
               "  while (!x.compare_exchange_strong(one, 2, simt::memory_order_relaxed)) "
               "one = 1;\n"
               "} else if (x.load(") +
           order + ") == 2) simt::check(data == 1, \"stale\");";
  };
  CHECK(found(two_atomics, body("simt::memory_order_acquire"), 3) == "ok");
  CHECK(found(two_atomics, body("simt::memory_order_relaxed"), 3) == "race");
}

TEST_CASE("who observes the store of a read-modify-write comes behind all of it") {
  const auto with = [](const char* other, bool promises) {
    const std::string body = fmt::format(
        "simt::atomic_ref<int, simt::thread_scope_device> cell(data);\n"
        "if (!first) cell.{};\n"
        "else if (cell.exchange(2, simt::memory_order_relaxed) == 1) data = 3;",
        other);
    return found(two_atomics, body, 2, promises);
  };
  CHECK(with("store(1, simt::memory_order_relaxed)", true) == "ok");
  CHECK(with("exchange(1, simt::memory_order_relaxed)", true) == "ok");
  CHECK(with("exchange(1, simt::memory_order_relaxed)", false) == "ok");
  // Not who observes nothing of it.
  CHECK(with("exchange(4, simt::memory_order_relaxed); if (cell.load() == 4) data = 5", false) ==
        "race");
}

TEST_CASE("a relaxed fence orders nothing") {
  const auto body = [](const std::string& order) {
    const std::string fence =
        "simt::atomic_thread_fence(" + order + ", simt::thread_scope_device);\n";
    return "if (first) {\n  data = 1;\n  " + fence +
           "  x.store(1, simt::memory_order_relaxed);\n"
           "} else if (x.load(simt::memory_order_relaxed) == 1) {\n  " +
           fence + "  simt::check(data == 1, \"stale\");\n}";
  };
  CHECK(found(two_atomics, body("simt::memory_order_acq_rel")) == "ok");
  CHECK(found(two_atomics, body("simt::memory_order_relaxed")) == "race");
}

TEST_CASE("a compare-exchange has what its orders have together") {
  const auto body = [](const std::string& orders) {
    return "if (first) {\n  data = 1;\n  x.store(1, simt::memory_order_release);\n} else {\n"
           "  int seen = 2;\n  x.compare_exchange_strong(seen, 3, " +
           orders + ");\n  if (seen == 1) simt::check(data == 1, \"stale\");\n}";
  };
  CHECK(found(two_atomics, body("simt::memory_order_relaxed")) == "race");
  CHECK(found(two_atomics, body("simt::memory_order_relaxed, simt::memory_order_acquire")) == "ok");
  CHECK(found(two_atomics, body("simt::memory_order_release, simt::memory_order_acquire")) == "ok");
  CHECK(found(two_atomics, body("simt::memory_order_release, simt::memory_order_relaxed")) ==
        "race");
  CHECK(found(two_atomics, body("simt::memory_order_relaxed, simt::memory_order_seq_cst")) == "ok");
}

TEST_CASE("barriers order what plain accesses do") {
  test::source_run run(kernel("int data[2] = {};",
                              "data[simt::lane_index()] = 1;\nsimt::syncwarp();\n"
                              "simt::check(data[1 - simt::lane_index()] == 1, \"stale\");"));
  run.how.machine.memory = simt::memory_model::ptx;
  CHECK(run.found() == "ok");
  run.how.machine.reconvergence = simt::reconvergence::stack;
  CHECK(run.found() == "ok");
}

TEST_CASE("accesses of different sizes that overlap are not judged") {
  test::source_run run(kernel("union { simt::atomic<int> whole{0}; short half; };",
                              "if (simt::lane_index() == 0) whole.store(1);\nelse half = 2;"));
  run.how.machine.memory = simt::memory_model::ptx;
  const warpcheck::run_result result = run.check();
  CHECK(result.gravest == warpcheck::verdict::inconclusive);
  CHECK(result.stopped.text.find("different sizes") != std::string::npos);
}

// In one memory, in order, is one of the things that a weak memory may do. (A race ends a run, so
// what comes behind it may be missing.)
TEST_CASE("what sequential consistency violates, ptx violates") {
  namespace fs = std::filesystem;
  std::size_t violations = 0;
  for (const char* family : {"locks", "idioms", "scor", "deques", "flags"}) {
    for (const auto& entry : fs::directory_iterator(fs::path("scenarios") / family)) {
      if (entry.path().extension() != ".toml" || !test::is_due(entry.path().string())) continue;
      const warpcheck::scenario what = warpcheck::read_scenario(entry.path());
      for (const warpcheck::run_settings& how : what.runs) {
        const bool simple = how.machine.reconvergence == simt::reconvergence::its &&
                            how.machine.memory == simt::memory_model::sc &&
                            how.progress == simt::progress::fair &&
                            how.fairness == simt::fairness::weak;
        if (!simple || what.never_ends() || what.claims || what.generate) continue;
        CAPTURE(entry.path().string());
        warpcheck::limits bounds;
        bounds.max_states = 2'000;
        warpcheck::session in_order(what, how);
        const warpcheck::run_result wanted = warpcheck::check(in_order, bounds);
        if (!wanted.complete || wanted.violations.empty()) continue;
        warpcheck::run_settings weak = how;
        weak.machine.memory = simt::memory_model::ptx;
        weak.machine.promises = false;
        bounds.max_states = 20'000;
        warpcheck::session run(what, weak);
        const warpcheck::run_result result = warpcheck::check(run, bounds);
        const warpcheck::verdict_set found = result.found();
        const bool raced = (found & bit(warpcheck::verdict::race)) != 0;
        CHECK((raced || (wanted.found() & ~found) == 0));
        // Each of them can be carried out again.
        warpcheck::names named(run);
        for (const warpcheck::violation& v : result.violations) {
          const warpcheck::trace t = follow(run, named, v.how);
          CHECK(not_shown(run, named, t, v.kind) == "");
          ++violations;
        }
      }
    }
  }
  if (test::is_thorough()) CHECK(violations > 20);  // what a tenth of them shows varies
}

// Some of these end, some deadlock, in some lanes race.
TEST_CASE("lanes that tell each other by number change names") {
  for (const char* const subject : {"mcs", "mcs2", "mcs_printed", "mcs_lost_successor"}) {
    for (const auto progress : {simt::progress::fair, simt::progress::unfair}) {
      const bool is_first = std::string(subject) == "mcs" && progress == simt::progress::fair;
      if (!is_first && !test::is_due(fmt::format("{}, {}", subject, static_cast<int>(progress))))
        continue;
      CAPTURE(subject);
      warpcheck::scenario what;
      what.file = "test.toml";
      what.subject = std::string("locks/") + subject;
      what.workload = "counter";
      what.grid.lanes = {3};
      warpcheck::run_settings how;
      how.machine.memory = simt::memory_model::ptx;
      how.progress = progress;
      warpcheck::session as_they_are(what, how);
      const warpcheck::run_result plain =
          warpcheck::check(as_they_are, {}, warpcheck::reductions_from("merge,order"));
      warpcheck::session run(what, how);
      const warpcheck::run_result named =
          warpcheck::check(run, {}, warpcheck::reductions_from("merge,order,symmetry"));
      CHECK(named.renamings == 2);
      CHECK(named.complete);
      CHECK(named.found() == plain.found());
      CHECK(plain.states <= 6 * named.states);
      CHECK(3 * named.states < plain.states);
      for (const warpcheck::violation& v : named.violations) {
        CHECK(test::objection(run, v) == "");
      }
    }
  }
}
