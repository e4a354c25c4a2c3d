// Load buffering in the engine: each clause of docs/memory-model.md, "Load buffering in the
// machine", by its smallest program. A comment names the clause's anchor on that page.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>

#include "checker/check/check.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/checker/under_ptx.hpp"
#include "tests/checker/why.hpp"

namespace {

using test::kernel;
using test::under_ptx::found;
using test::under_ptx::run_of;
using test::under_ptx::two_atomics;

const char* const three_atomics = "simt::atomic<int, simt::thread_scope_device> x{0}, y{0}, z{0};";

/// What one of the lanes does.
std::string part(int lane, const std::string& body) {
  return fmt::format("if (simt::block_index() == {}) {{\n{}\n}}\n", lane, body);
}

/// Loads one location, then stores to the other one.
std::string buffers(const char* from, const char* to) {
  return fmt::format("{}.load(memory_order_relaxed);\n{}.store(1, memory_order_relaxed);", from,
                     to);
}

/// Lanes 0, 1 and 2 take their parts. "assertion": all three may set `all` in one run.
std::string passed_on(const std::string& first, const std::string& second, const std::string& third,
                      bool promises = true) {
  return found(
      "simt::atomic<int, simt::thread_scope_device> x{0}, y{0}, z{0}, sum{0};"
      "int data = 0, more = 0;",
      "using namespace simt;\nint all = 0;\n" + part(0, first) + part(1, second) + part(2, third) +
          "simt::check(sum.fetch_add(all, memory_order_relaxed) + all < 3, \"all\");",
      3, promises);
}

}  // namespace

TEST_CASE("load buffering is found with promises alone, and is not ok without them") {
  const char* const body =
      "auto& mine = first ? x : y; auto& other = first ? y : x;\n"
      "const int seen = mine.load(simt::memory_order_relaxed);\n"
      "other.store(1, simt::memory_order_relaxed);\n"
      "simt::check(sum.fetch_add(seen, simt::memory_order_relaxed) + seen < 2, \"both\");";
  CHECK(found(two_atomics, body) == "assertion");
  CHECK(found(two_atomics, body, 2, false) == "inconclusive");
}

// #bursts: only a lane that has read, alone, the promise of another lane reaches its own store.
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

// #bursts: the promise is a read-modify-write of another promise.
TEST_CASE("a promise of a read-modify-write of what another lane has promised") {
  CHECK(passed_on("all = y.load(memory_order_relaxed) == 2;\nx.store(1, memory_order_relaxed);",
                  "const int r = x.load(memory_order_relaxed);\n"
                  "y.store(r, memory_order_relaxed);\nz.store(r, memory_order_relaxed);\n"
                  "all = r == 2;",
                  "const int r = z.load(memory_order_relaxed);\n"
                  "all = x.fetch_add(1, memory_order_relaxed) == 1 && r == 2;") == "assertion");
}

// A read-modify-write has nothing in front of it, but cannot be carried out: it would acquire from
// a fence to come. So it is the strong operation behind which stores may be promised.
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

// #open: a read-modify-write that stores what it has read comes between two other messages only if
// it is there early.
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

// #plain: the reader of plain data behind a flag passes the data on, and its lane reads that.
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

// #bursts: the second promise rests on the first one and on an earlier load of its reader.
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

// A lane alone goes on with each answer that lanes have been seen to get from a vote.
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

// #late: a lane does not promise what is behind a read that decides on a loop.
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

// The first question of "When no promise is needed".
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

// #circles: the second question of "When no promise is needed".
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
  // The lane with the lock gives it back by an exchange, which waits for no lane: others find the
  // lock taken. What lanes do while they have the lock is ordered.
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

// #circles: in grids of 16 lanes, steps run ahead because others cannot come while a lane stands. A
// load may still return what another lane stores behind something that this lane does later.
TEST_CASE("a load does not run ahead of a store that waits for what comes behind the load") {
  const auto found_in = [](const std::string& body, std::uint32_t lanes) {
    test::source_run run(kernel("simt::atomic<int> x{0}, y{0};",
                                "using namespace simt;\nconst unsigned lane = lane_index();\n"
                                "int seen = 0;\n" +
                                    body + "simt::check(seen == 0, \"read too early\");"),
                         {1, {lanes}});
    run.how.machine.memory = simt::memory_model::ptx;
    return run.found();
  };
  const std::string reads = "if (lane == 0) seen = x.load(memory_order_relaxed);\n";
  const std::string stores = "if (lane == 1) x.store(1, memory_order_relaxed);\n";
  for (const std::uint32_t lanes : {2U, 16U, 32U}) {
    CAPTURE(lanes);
    // By a flag.
    CHECK(found_in(reads +
                       "if (lane == 0) y.store(1, memory_order_relaxed);\n"
                       "if (lane == 1 && y.load(memory_order_relaxed) == 1) {\n" +
                       stores + "}\n",
                   lanes) == "assertion");
    // By a vote, or a shuffle, which order no accesses.
    CHECK(found_in(reads + "ballot(full_mask, true);\n" + stores, lanes) == "assertion");
    CHECK(found_in(reads + "shfl(full_mask, seen, 0);\n" + stores, lanes) == "assertion");
    // These order them.
    CHECK(found_in(reads + "syncwarp();\n" + stores, lanes) == "ok");
    CHECK(found_in(reads + "ballot(full_mask, true);\nsyncthreads();\n" + stores, lanes) == "ok");
    CHECK(found_in("ballot(full_mask, true);\n" + reads + "syncwarp();\n" + stores, lanes) == "ok");
  }
}

// Under `stack`, a parked lane promises nothing: the store that its warp never reaches would end
// the wait for that store.
TEST_CASE("a lane that is parked promises nothing") {
  test::source_run run(kernel(three_atomics,
                              "while (x.exchange(1, simt::memory_order_relaxed) == 1) {}\n"
                              "y.load(simt::memory_order_relaxed);\n"
                              "x.store(0, simt::memory_order_relaxed);"));
  run.how.machine.memory = simt::memory_model::ptx;
  run.how.machine.reconvergence = simt::reconvergence::stack;
  const warpcheck::run_result result = run.check();
  CHECK(run.names(result).find("simt-deadlock") != std::string::npos);
  CHECK(result.states == 11);
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

// The last block sets the counter back by a plain store, behind the read-modify-writes of all.
TEST_CASE("a lane that reads a promised read-modify-write observes what that one reads") {
  // Lane 1 reads y last of all, and promises its read-modify-write for lane 2, which stores to y.
  const auto with = [](const std::string& last, const std::string& counting = "n") {
    return found("simt::atomic<int, simt::thread_scope_device> y{0}; unsigned n = 0, other = 0;",
                 "using namespace simt;\n"
                 "if (block_index() == 1) y.load(memory_order_relaxed);\n"
                 "const bool adds_apart = block_index() == 0;\n"
                 "const unsigned old = atomicAdd(adds_apart ? &" +
                     counting + " : &n, 1u);\n" + last,
                 3);
  };
  const std::string stores = "if (block_index() == 2) y.store(1, memory_order_relaxed);\n";
  CHECK(with("if (old == 2) n = 0;\n" + stores) == "ok");
  // Before lane 1 has carried out what it has promised.
  CHECK(with("if (old == 2) { n = 0; y.store(1, memory_order_relaxed); }") == "ok");
  // Without the last of three.
  CHECK(with("if (old == 1) n = 0;\n" + stores) == "race");
  CHECK(with("if (old == 1) n = 0;\n" + stores, "other") == "ok");
}

// #circles: in each of the first three programs, lanes may wait for each other in millions of ways.
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

// #first: no lane promises anything while the third lane is at a store. Each state in which a
// promise is made would otherwise be there twice, before that store and behind it.
TEST_CASE("a lane at a store goes first") {
  test::source_run run =
      run_of(three_atomics,
             "using namespace simt;\n" + part(0, buffers("x", "y")) + part(1, buffers("y", "x")) +
                 part(2, "x.store(2, memory_order_relaxed);"),
             3);
  CHECK(run.check().states == 54);
}

// #standoff: the first two lanes wait at x, where neither acquires. So the second lane does not
// read what the first one promises there.
TEST_CASE("lanes that wait at one location do not read each other's promises there") {
  test::source_run run = run_of(three_atomics,
                                "using namespace simt;\n" +
                                    part(0,
                                         "x.load(memory_order_relaxed);\n"
                                         "x.store(1, memory_order_relaxed);\n"
                                         "y.store(1, memory_order_relaxed);") +
                                    part(1, "x.load(memory_order_relaxed);") +
                                    part(2,
                                         "y.load(memory_order_relaxed);\n"
                                         "x.store(3, memory_order_relaxed);"),
                                3);
  CHECK(run.check().states == 79);
}

// #open: the exchange is visible before the message that it reads. The last lane stores that
// message only because the exchange has been seen.
TEST_CASE("an exchange is seen before what it reads") {
  test::source_run run = run_of(
      three_atomics,
      "using namespace simt;\n" +
          part(0, "check(x.exchange(2, memory_order_relaxed) == 0, \"late\");") +
          part(1, "if (x.load(memory_order_relaxed) == 2) y.store(1, memory_order_relaxed);") +
          part(2, "if (y.load(memory_order_relaxed) == 1) x.store(1, memory_order_relaxed);"),
      3);
  CHECK(run.found() == "assertion");
  // The second lane rests on a promise at the location where it waits itself. A replay follows
  // that, although it does not ask where a burst may end.
  CHECK(test::why(run) != "");
}

// A read-modify-write that stores what it has read is promised only to a lane that adds something
// to it. The second lane, which loads, may as well read the message before.
TEST_CASE("a repetition is not promised to a lane that only reads it") {
  test::source_run run = run_of(three_atomics,
                                "using namespace simt;\n"
                                "if (first) {\n"
                                "  x.load(memory_order_relaxed);\n"
                                "  y.fetch_or(1, memory_order_relaxed);\n"
                                "  y.fetch_or(1, memory_order_relaxed);\n"
                                "} else {\n"
                                "  y.load(memory_order_relaxed);\n"
                                "  x.store(1, memory_order_relaxed);\n"
                                "}");
  CHECK(run.check().states == 31);
}

// A round of a spin loop that stores what it has read is not promised. Otherwise there would be
// ever more such rounds to promise, and the run would be inconclusive.
TEST_CASE("rounds of a spin loop are not promised") {
  CHECK(found(three_atomics,
              "using namespace simt;\n"
              "if (first) {\n"
              "  z.load(memory_order_relaxed);\n"
              "  while (x.fetch_add(0, memory_order_relaxed) == 0) {}\n"
              "  y.store(1, memory_order_relaxed);\n"
              "} else {\n"
              "  y.load(memory_order_relaxed);\n"
              "  x.load(memory_order_relaxed);\n"
              "  x.store(1, memory_order_relaxed);\n"
              "  z.store(1, memory_order_relaxed);\n"
              "}") == "ok");
}

// #joins: the last lane's store rests on two promises, neither of which rests on the other.
TEST_CASE("a promise that rests on two others") {
  const auto passes = [](const char* from, const char* to, const char* early) {
    return fmt::format(
        "{}.store({}.load(memory_order_relaxed), memory_order_relaxed);\n"
        "{}.store(1, memory_order_relaxed);",
        to, from, early);
  };
  CHECK(found("simt::atomic<int, simt::thread_scope_device> x{0}, y{0}, z{0}, u{0}, w{0};",
              "using namespace simt;\n" + part(0, passes("z", "u", "x")) +
                  part(1, passes("u", "w", "y")) +
                  part(2,
                       "const int all = w.load(memory_order_relaxed);\n"
                       "z.store(x.load(memory_order_relaxed) & y.load(memory_order_relaxed), "
                       "memory_order_relaxed);\n"
                       "check(all == 0, \"all\");"),
              3) == "assertion");
}

// Where a run ends, all promises must be kept together. Each of the first two lanes could keep its
// promise alone, but only one of them can have the compare-exchange.
TEST_CASE("promises that exclude each other do not end a run") {
  const auto wins = [](const char* where) {
    return fmt::format(
        "w.load(memory_order_relaxed);\nint none = 0;\n"
        "if (x.compare_exchange_strong(none, 1, memory_order_relaxed)) "
        "{}.store(1, memory_order_relaxed);",
        where);
  };
  CHECK(found("simt::atomic<int, simt::thread_scope_device> x{0}, y{0}, z{0}, w{0};",
              "using namespace simt;\n" + part(0, wins("y")) + part(1, wins("z")) +
                  part(2,
                       "check(y.load(memory_order_relaxed) + z.load(memory_order_relaxed) < 2, "
                       "\"both\");\nw.store(1, memory_order_relaxed);"),
              3) == "ok");
}

// #left-out: the axioms allow both programs to read 1. The machine leaves that out if a promise
// depends on what another lane stores between two barriers.
TEST_CASE("a promise that rests on what comes behind a barrier") {
  const auto found_with = [](const std::string& second_barrier) {
    test::source_run run(
        kernel(three_atomics,
               "using namespace simt;\nint early = 0;\n"
               "if (block_index() == 0) {\n"
               "  if (lane_index() == 0) early = z.load(memory_order_relaxed);\n"
               "  syncthreads();\n"
               "  if (lane_index() == 1) x.store(1, memory_order_relaxed);\n" +
                   second_barrier +
                   "  if (lane_index() == 0) y.store(x.load(memory_order_relaxed), "
                   "memory_order_relaxed);\n"
                   "} else if (lane_index() == 0) {\n"
                   "  z.store(y.load(memory_order_relaxed), memory_order_relaxed);\n"
                   "}\ncheck(early == 0, \"read\");"),
        {2, {2}});
    run.how.machine.memory = simt::memory_model::ptx;
    return run.found();
  };
  CHECK(found_with("") == "assertion");
  CHECK(found_with("syncthreads();\n") == "ok");  // a known gap: "assertion" would be right
}
