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
#include "tests/tier.hpp"

namespace {

using test::kernel;

/// Two blocks of one lane; the body sees `first`, whether it is the first lane.
std::string found(const std::string& members, const std::string& body, std::uint32_t blocks = 2,
                  bool promises = true) {
  test::source_run run(kernel(members, "const bool first = simt::block_index() == 0;\n" + body),
                       {blocks, {1}});
  run.how.machine.memory = simt::memory_model::ptx;
  run.how.machine.promises = promises;
  return run.found();
}

const char* const two_atomics =
    "simt::atomic<int, simt::thread_scope_device> x{0}, y{0}, sum{0}; int data = 0;";

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

TEST_CASE("load buffering is found with promises alone, and is not ok without them") {
  const char* const body =
      "auto& mine = first ? x : y; auto& other = first ? y : x;\n"
      "const int seen = mine.load(simt::memory_order_relaxed);\n"
      "other.store(1, simt::memory_order_relaxed);\n"
      "simt::check(sum.fetch_add(seen, simt::memory_order_relaxed) + seen < 2, \"both\");";
  CHECK(found(two_atomics, body) == "assertion");
  CHECK(found(two_atomics, body, 2, false) == "inconclusive");
}

namespace {

/// Lane 0, 1 and 2 take their parts, and tell what they have read; all of it is not to be.
std::string passed_on(const std::string& first, const std::string& second, const std::string& third,
                      bool promises = true) {
  const auto part = [](int lane, const std::string& body) {
    return fmt::format("if (simt::block_index() == {}) {{\n{}\n}}\n", lane, body);
  };
  return found(
      "simt::atomic<int, simt::thread_scope_device> x{0}, y{0}, z{0}, sum{0};"
      "int data = 0, more = 0;",
      "using namespace simt;\nint all = 0;\n" + part(0, first) + part(1, second) + part(2, third) +
          "simt::check(sum.fetch_add(all, memory_order_relaxed) + all < 3, \"all\");",
      3, promises);
}

}  // namespace

// A store that can be promised only by who has read, alone, what somebody else has promised.
TEST_CASE("promises that rest on promises") {
  // The second lane cannot acquire before the release, which cannot come before the first load.
  const char* const releases =
      "all = y.load(memory_order_relaxed) == 1;\nx.store(1, memory_order_release);";
  const char* const acquires =
      "const int r = x.load(memory_order_acquire);\nz.store(r, memory_order_relaxed);\nall = r;";
  const char* const relaxed =
      "const int r = x.load(memory_order_relaxed);\nz.store(r, memory_order_relaxed);\nall = r;";
  const char* const passes =
      "const int r = z.load(memory_order_relaxed);\ny.store(r, memory_order_relaxed);\nall = r;";
  CHECK(passed_on(releases, acquires, passes) == "assertion");
  CHECK(passed_on(releases, relaxed, passes) == "assertion");
  CHECK(passed_on(releases, acquires, passes, false) == "inconclusive");
  // With one more acquire and release the load comes before the store that it would read.
  const char* const passes_back =
      "const int r = z.load(memory_order_acquire);\ny.store(r, memory_order_relaxed);\nall = r;";
  const char* const releases_on =
      "const int r = x.load(memory_order_acquire);\nz.store(r, memory_order_release);\nall = r;";
  CHECK(passed_on(releases, releases_on, passes_back) == "ok");
}

TEST_CASE("a promise of a read-modify-write of what another lane has promised") {
  CHECK(passed_on("all = y.load(memory_order_relaxed) == 2;\nx.store(1, memory_order_relaxed);",
                  "const int r = x.load(memory_order_relaxed);\n"
                  "y.store(r, memory_order_relaxed);\nz.store(r, memory_order_relaxed);\n"
                  "all = r == 2;",
                  "const int r = z.load(memory_order_relaxed);\n"
                  "all = x.fetch_add(1, memory_order_relaxed) == 1 && r == 2;") == "assertion");
}

// It has nothing in front of it, but cannot be carried out: it would acquire from a fence to come.
TEST_CASE("a promise of a read-modify-write that waits to acquire from a promise") {
  const char* const fenced =
      "all = x.load(memory_order_relaxed) == 2;\natomic_thread_fence(memory_order_acq_rel);\n"
      "y.store(1, memory_order_relaxed);";
  const char* const passes =
      "const int r = y.load(memory_order_relaxed);\n"
      "x.store(r, memory_order_relaxed);\nall = r == 2;";
  const char* const acquires = "all = y.fetch_add(1, memory_order_acq_rel) == 1;";
  const char* const acquires_first =
      "all = z.load(memory_order_relaxed) == 0 && y.fetch_add(1, memory_order_acq_rel) == 1;";
  CHECK(passed_on(fenced, acquires, passes) == "assertion");
  CHECK(passed_on(fenced, acquires_first, passes) == "assertion");
  CHECK(passed_on(fenced, acquires, passes, false) == "inconclusive");
}

// What stores the value that it has read comes between two others only if it is there early.
TEST_CASE("a promised read-modify-write that changes nothing, behind another promise") {
  CHECK(found("simt::atomic<int, simt::thread_scope_device> x{0}, y{0}, sum{0};",
              "using namespace simt;\nint all = 0;\n"
              "if (first) {\n"
              "  all = y.fetch_add(1, memory_order_relaxed) == 1;\n"
              "  x.store(all, memory_order_relaxed);\n"
              "} else {\n"
              "  all = x.load(memory_order_relaxed);\n"
              "  y.store(1, memory_order_relaxed);\n"
              "  all &= y.exchange(1, memory_order_relaxed) == 1;\n"
              "}\n"
              "simt::check(sum.fetch_add(all, memory_order_relaxed) + all < 2, \"both\");") ==
        "assertion");
  CHECK(passed_on("const int r = y.exchange(1, memory_order_relaxed);\n"
                  "x.store(r, memory_order_relaxed);\nall = r == 2;",
                  "all = x.load(memory_order_relaxed) == 2;\ny.store(2, memory_order_relaxed);",
                  "all = x.load(memory_order_relaxed) == 2;\nint two = 2;\n"
                  "all &= y.compare_exchange_strong(two, 2, memory_order_relaxed);") ==
        "assertion");
}

// Plain data behind a flag: its reader passes it on, and it comes back to who stored it.
TEST_CASE("promises that rest on plain stores in front of a promise") {
  const char* const passes =
      "const int r = z.load(memory_order_relaxed);\ny.store(r, memory_order_relaxed);\nall = r;";
  CHECK(passed_on("all = y.load(memory_order_relaxed) == 1;\ndata = 1;\n"
                  "x.store(1, memory_order_release);",
                  "if (x.load(memory_order_acquire) == 1) all = data;\n"
                  "z.store(all, memory_order_relaxed);",
                  passes) == "assertion");
  const std::string fence =
      "simt::atomic_thread_fence(memory_order_acq_rel, thread_scope_device);\n";
  CHECK(passed_on("all = y.load(memory_order_relaxed) == 1;\ndata = 1;\n" + fence +
                      "x.store(1, memory_order_relaxed);",
                  "const int flag = x.load(memory_order_relaxed);\n" + fence +
                      "if (flag == 1) all = data;\nz.store(all, memory_order_relaxed);",
                  passes) == "assertion");
  // Two of them, each of which says nothing alone.
  CHECK(passed_on("all = y.load(memory_order_relaxed) == 1;\ndata = 1;\nmore = 1;\n"
                  "x.store(1, memory_order_release);",
                  "if (x.load(memory_order_acquire) == 1) all = data & more;\n"
                  "z.store(all, memory_order_relaxed);",
                  passes) == "assertion");
}

TEST_CASE("a load that returns before the one in front of it, and is passed on") {
  const std::string members =
      "simt::atomic<int, simt::thread_scope_device> x{0}, y{0}, z{0}, sum{0};";
  const std::string body =
      "using namespace simt;\nint all = 0;\n"
      "if (first) {\n"
      "  const int r = z.load(memory_order_relaxed);\n"
      "  x.store(1, memory_order_relaxed);\n"
      "  y.store(r, memory_order_relaxed);\n"
      "  all = r;\n"
      "} else {\n"
      "  const int early = y.load(memory_order_relaxed);\n"
      "  const int r = x.load(memory_order_relaxed);\n"
      "  z.store(r, memory_order_relaxed);\n"
      "  all = early & r;\n"
      "}\n"
      "simt::check(sum.fetch_add(all, memory_order_relaxed) + all < 2, \"both\");";
  CHECK(found(members, body) == "assertion");
}

TEST_CASE("promises behind votes") {
  // The vote tells nothing of memory, so the first lane's store may be read before it.
  test::source_run run(
      kernel("simt::atomic<int, simt::thread_scope_device> x{0}, y{0}, sum{0};",
             "const bool first = simt::lane_index() == 0;\n"
             "auto& mine = first ? x : y; auto& other = first ? y : x;\n"
             "const int seen = mine.load(simt::memory_order_relaxed);\n"
             "const bool all = simt::any(~0U, 1);\n"
             "other.store(all, simt::memory_order_relaxed);\n"
             "simt::check(sum.fetch_add(seen, simt::memory_order_relaxed) + seen < 2, \"both\");"),
      {1, {2}});
  run.how.machine.memory = simt::memory_model::ptx;
  CHECK(run.found() == "assertion");
  // What is voted on is what would have to be read: out of thin air.
  test::source_run thin(
      kernel("simt::atomic<int, simt::thread_scope_device> x{0}, y{0}, sum{0};",
             "const bool first = simt::lane_index() == 0;\n"
             "auto& mine = first ? x : y; auto& other = first ? y : x;\n"
             "const int seen = mine.load(simt::memory_order_relaxed);\n"
             "const bool all = simt::all(~0U, seen);\n"
             "other.store(all, simt::memory_order_relaxed);\n"
             "simt::check(sum.fetch_add(seen, simt::memory_order_relaxed) + seen < 1, \"none\");"),
      {1, {2}});
  thin.how.machine.memory = simt::memory_model::ptx;
  CHECK(thin.found() == "ok");
}

TEST_CASE("what comes behind a loop depends on the read that leaves it") {
  // The first lane could read 2 only from a store that depends on its own, behind that read.
  const auto found_with = [](const std::string& reading) {
    return found("simt::atomic<int, simt::thread_scope_device> x{1}, y{0};",
                 "if (first) {\n"
                 "  int seen = 0;\n" +
                     reading +
                     "  y.store(1, simt::memory_order_relaxed);\n"
                     "  simt::check(seen != 2, \"too late\");\n"
                     "} else if (y.load(simt::memory_order_relaxed) == 1) {\n"
                     "  x.store(2, simt::memory_order_relaxed);\n"
                     "}\n");
  };
  CHECK(found_with("seen = x.load(simt::memory_order_relaxed);\n") == "assertion");
  CHECK(found_with("while ((seen = x.load(simt::memory_order_relaxed)) == 0) {}\n") == "ok");
  CHECK(found_with("while ((seen = x.fetch_add(0, simt::memory_order_relaxed)) == 0) {}\n") ==
        "ok");
  CHECK(found_with("while (x.load(simt::memory_order_relaxed) == 0 ||\n"
                   "       (seen = x.load(simt::memory_order_relaxed)) == 0) {}\n") == "ok");
  // As often as the loop goes round, it comes to the store: a compiler may put that in front.
  CHECK(found_with("for (int i = 0; i < 2; ++i) {\n"
                   "  if ((seen = x.load(simt::memory_order_relaxed)) != 0) break;\n"
                   "}\n") == "assertion");
}

TEST_CASE("where each access synchronizes, no promise is needed") {
  const auto found_with = [](const char* store, const char* load) {
    const std::string body = fmt::format(
        "if (first) {{ data = 1; x.store(1, {}); }}\n"
        "else if (x.load({}) == 1) simt::check(data == 1, \"stale\");",
        store, load);
    return found(two_atomics, body, 2, false);
  };
  CHECK(found_with("simt::memory_order_release", "simt::memory_order_acquire") == "ok");
  CHECK(found_with("simt::memory_order_seq_cst", "simt::memory_order_seq_cst") == "ok");
  CHECK(found_with("simt::memory_order_relaxed", "simt::memory_order_acquire") == "race");
  // Not what loads and stores alone do: a read-modify-write must do both.
  const auto exchanges = [](const char* order) {
    const std::string body = fmt::format(
        "if (first) {{ x.exchange(1, {0}); y.exchange(1, {0}); }}\n"
        "else {{ y.exchange(1, {0}); x.exchange(1, {0}); }}",
        order);
    return found("simt::atomic<int, simt::thread_scope_device> x{0}, y{0};", body, 2, false);
  };
  CHECK(exchanges("simt::memory_order_acq_rel") == "ok");
  CHECK(exchanges("simt::memory_order_acquire") == "inconclusive");
  CHECK(exchanges("simt::memory_order_release") == "inconclusive");
  // Nor for some lanes alone.
  CHECK(found("simt::atomic<int, simt::thread_scope_block> x{0};",
              "x.exchange(1, simt::memory_order_acq_rel);", 2, false) == "race");
  // Across barriers lanes do not synchronize so; but they wait in no circle here.
  CHECK(found(two_atomics, "x.exchange(1, simt::memory_order_acq_rel); simt::syncthreads();", 2,
              false) == "ok");
}

TEST_CASE("where lanes cannot wait for each other in a circle, no promise is needed") {
  const std::string members = "simt::atomic<int, simt::thread_scope_device> x{0}, y{0};";
  // At one location; across a barrier, in one direction.
  CHECK(found(members, "x.exchange(1, simt::memory_order_relaxed);", 2, false) == "ok");
  CHECK(found(members,
              "using namespace simt;\n"
              "if (first) x.store(1, memory_order_relaxed);\n"
              "syncthreads();\n"
              "if (!first) y.store(x.load(memory_order_relaxed), memory_order_relaxed);",
              2, false) == "ok");
  // Who has a lock gives it back by an exchange, which waits for nobody: others find it taken. What
  // they do while they have it is ordered, one after the other.
  const auto counted = [&](const std::string& spinning, const char* giving) {
    return found(members,
                 "using namespace simt;\n"
                 "while (" +
                     spinning +
                     " != 0) {}\n"
                     "y.fetch_add(1, memory_order_relaxed);\n"
                     "x.exchange(0, " +
                     giving + ");",
                 2, false);
  };
  CHECK(counted("x.exchange(1, memory_order_acquire)", "memory_order_release") == "ok");
  CHECK(counted("x.exchange(1, memory_order_acquire)", "memory_order_relaxed") == "inconclusive");
}

TEST_CASE("a lane that is parked promises nothing") {
  // Otherwise the store that its warp never comes to would end the wait for it.
  test::source_run run(kernel("simt::atomic<int, simt::thread_scope_device> x{0};",
                              "while (x.exchange(1, simt::memory_order_relaxed) == 1) {}\n"
                              "x.store(0, simt::memory_order_relaxed);"));
  run.how.machine.memory = simt::memory_model::ptx;
  run.how.machine.reconvergence = simt::reconvergence::stack;
  CHECK(run.found().find("simt-deadlock") != std::string::npos);
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

TEST_CASE("a promised read-modify-write reads the message before it") {
  // By turns: each message of x is read by one of them. (A sum that is not possible then came of a
  // message behind a promise, forgotten although another promise was to read it.)
  const char* const body =
      "const int a = x.exchange(2, simt::memory_order_release);\n"
      "simt::syncthreads();\n"
      "const int b = x.fetch_add(1, simt::memory_order_relaxed);\n"
      "const int c = x.exchange(1, simt::memory_order_relaxed);\n"
      "const int mine = a | b << 6 | c << 12;\n"
      "const int all = sum.fetch_add(mine, simt::memory_order_relaxed) + mine;\n";
  const auto reads = [](int p, int q, int r) { return p | q << 6 | r << 12; };
  const auto with = [&](int sum) {
    return found(two_atomics, fmt::format("{}simt::check(all != {}, \"\");", body, sum));
  };
  CHECK(with(reads(2, 5, 5)) == "assertion");  // 0 2, 2 3, 4 1
  CHECK(with(reads(2, 5, 4)) == "ok");
  CHECK(with(reads(3, 3, 5)) == "ok");
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

// (Of circles in which lanes may wait for each other there are millions in each of the first
// three.)
TEST_CASE("where many lanes meet, but in no circle that is allowed, no promises are missed") {
  struct program {
    const char* body;
    std::uint32_t blocks, lanes;
    bool is_complete;
  };
  const std::string relaxed = ", simt::memory_order_relaxed)";
  const std::string adds = "if (x.fetch_add(1" + relaxed + " == 100) y.store(1" + relaxed + ";\n";
  const std::string meets = adds + "simt::syncthreads();\n" + adds;
  const std::string shuffles =
      "int sum = 1;\nfor (unsigned d = 16; d > 0; d /= 2) sum += simt::shfl_xor(simt::full_mask, "
      "sum, "
      "d);\nif (simt::lane_index() == 0 && x.fetch_add(sum" +
      relaxed + " == 0) y.store(1" + relaxed + ";\n";
  const std::string buffers =
      "auto& mine = simt::lane_index() % 2 == 0 ? x : y;\n"
      "auto& other = simt::lane_index() % 2 == 0 ? y : x;\n"
      "if (mine.load(simt::memory_order_relaxed) < 7) other.store(1" +
      relaxed + ";\n";
  for (const program& one :
       {program{adds.c_str(), 1, 12, true}, program{meets.c_str(), 1, 12, true},
        program{shuffles.c_str(), 2, 32, true}, program{buffers.c_str(), 1, 2, false}}) {
    CAPTURE(std::string(one.body));
    test::source_run source(test::kernel("simt::atomic<int> x{0}, y{0};", one.body),
                            {one.blocks, {one.lanes}});
    warpcheck::run_settings how = source.how;
    how.machine.memory = simt::memory_model::ptx;
    how.machine.promises = false;
    warpcheck::session run(source.what, how);
    warpcheck::limits bounds;
    bounds.time = 20;
    const warpcheck::run_result result = warpcheck::check(run, bounds);
    CHECK(result.complete == one.is_complete);
    CHECK(result.stopped.empty() == one.is_complete);
  }
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
