// Accesses that values in memory keep apart are explored in one order, and all is still found.
#include <doctest/doctest.h>

#include <string>

#include "tests/checker/run_source.hpp"

namespace {

using test::kernel;
using test::source_run;

constexpr std::uint32_t lanes = 16;
const test::grid two_blocks{2, {lanes}};

/// The first block writes its cells, and one of its lanes sets a flag; the second one waits, and
/// reads them. `between`: before the flag is set.
std::string pass(const std::string& between) {
  return kernel("int cells[16]{};\nint seen[16]{};\nsimt::atomic<int> flag{0};\n",
                "const unsigned t = simt::lane_index();\n"
                "if (simt::block_index() == 0) {\n"
                "  cells[t] = static_cast<int>(t) + 1;\n" +
                    between +
                    "  if (t == 0) flag.store(1);\n"
                    "} else {\n"
                    "  while (flag.load() == 0) {\n  }\n"
                    "  seen[t] = cells[t];\n"
                    "}\n",
                "for (int i = 0; i < 16; ++i) if (seen[i] != i + 1) return false;\nreturn true;");
}

const std::string locked = kernel("simt::atomic<int> held{0};\nint count = 0;\nint last[4]{};\n",
                                  R"(
  while (held.exchange(1) != 0) {
  }
  count = count + 1;
  last[count % 4] = count;
  held.store(0);
)",
                                  "return count == 16;");

/// Two blocks count themselves and wait for each other, as grid barriers by hand do; then each
/// lane reads a cell of the other block. `behind`: before the lanes read.
std::string count_and_wait(const std::string& behind, int rounds = 1) {
  return kernel("int cells[32]{};\nint seen[32]{};\nsimt::atomic<int> count{0};\n",
                "const unsigned t = simt::block_index() * 16 + simt::lane_index();\n"
                "for (int round = 1; round <= " +
                    std::to_string(rounds) +
                    "; ++round) {\n"
                    "  cells[t] = static_cast<int>(t) + round;\n"
                    "  simt::syncthreads();\n"
                    "  if (simt::lane_index() == 0) {\n"
                    "    count.fetch_add(1);\n"
                    "    while (count.load() < 4 * round - 2) {\n    }\n"
                    "  }\n" +
                    behind +
                    "  seen[t] = cells[(t + 16) % 32];\n"
                    "  simt::syncthreads();\n"
                    "  if (simt::lane_index() == 0) {\n"
                    "    count.fetch_add(1);\n"
                    "    while (count.load() < 4 * round) {\n    }\n"
                    "  }\n"
                    "  simt::syncthreads();\n"
                    "}\n",
                "for (int i = 0; i < 32; ++i) if (seen[i] != (i + 16) % 32 + " +
                    std::to_string(rounds) + ") return false;\nreturn true;");
}

std::uint64_t states(const warpcheck::run_result& result) {
  CHECK(result.stopped == "");
  return result.states;
}

/// (The final check fails, too. Which of the two is seen first depends on the order of lanes.)
bool finds_race(source_run& run) {
  return (run.check().found() & bit(warpcheck::verdict::race)) != 0;
}

}  // namespace

TEST_CASE("cells that are written before a flag is set, and read behind it") {
  source_run run(pass("  simt::syncthreads();\n"), two_blocks);
  const auto result = run.check();
  CHECK(source_run::names(result) == "ok");
  CHECK(states(result) <= 4);  // one for each subset of the cells without
}

TEST_CASE("without the barrier the race is found") {
  source_run run(pass(""), two_blocks);
  CHECK(finds_race(run));
}

TEST_CASE("what a lock protects is explored in one order") {
  // Of the lanes in the critical section only the one that holds the lock goes on.
  source_run run(locked, {1, {lanes}});
  const auto result = run.check();
  CHECK(source_run::names(result) == "ok");
  CHECK(states(result) <= 4 * lanes);
}

TEST_CASE("blocks that count themselves and wait for each other") {
  for (const int rounds : {1, 2, 3}) {
    CAPTURE(rounds);
    source_run run(count_and_wait("  simt::syncthreads();\n", rounds), two_blocks);
    const auto result = run.check();
    CHECK(source_run::names(result) == "ok");
    CHECK(states(result) <= 40U * static_cast<unsigned>(rounds));
  }
}

TEST_CASE("lanes that do not wait for the one that waits") {
  source_run run(count_and_wait(""), two_blocks);
  CHECK(finds_race(run));
}

TEST_CASE("one lane of each warp waits, and a collective lets the others on") {
  const auto text = [](const std::string& behind) {
    return kernel("int cells[16]{};\nint seen[16]{};\nsimt::atomic<int> count{0};\n",
                  "const unsigned t = simt::lane_index();\n"
                  "if (simt::block_index() == 0) {\n"
                  "  cells[t] = static_cast<int>(t) + 1;\n"
                  "  count.fetch_add(1);\n"
                  "} else {\n"
                  "  if (t == 0) {\n    while (count.load() < 16) {\n    }\n  }\n" +
                      behind +
                      "  seen[t] = cells[t];\n"
                      "}\n",
                  "for (int i = 0; i < 16; ++i) if (seen[i] != i + 1) return false;\nreturn true;");
  };
  source_run run(text("  simt::syncwarp();\n"), two_blocks);
  const auto result = run.check();
  CHECK(source_run::names(result) == "ok");
  CHECK(states(result) <= 100);
  source_run wrong(text(""), two_blocks);
  CHECK(finds_race(wrong));
}

// Lane 1 may take the first exchange. Lane 0 then waits for it, and races with its last addition.
// Where lane 0 comes first, lane 1 waits. But that is no reason to let lane 0 go first: nobody has
// seen what lane 1 does where it does not wait.
TEST_CASE("a lane that would not wait if it came first") {
  source_run run(kernel("simt::atomic<int> cells[6]{};\nint count = 0;\n",
                        R"(
  const int me = int(simt::thread_rank());
  const int before = cells[0].exchange(me + 1);
  if (before != 0) {
    while (cells[before % 4 + 2].load() != 1) {
    }
  }
  count = count + 1;
  cells[(me + 1) % 4 + 2].store(1);
  if (me != 1) {
    while (cells[3].load() != 1) {
    }
  } else {
    cells[3].store(1);
  }
  if (me < 1) {
    for (;;) cells[3].load();
  }
  simt::atomic_ref<int, simt::thread_scope_device>(count).fetch_add(1);
)"),
                 {1, {2}});
  for (const char* const some : {"merge,order,dead", "merge,symmetry,order", "order"}) {
    CAPTURE(some);
    warpcheck::reductions reduce = warpcheck::reductions_from(some);
    reduce.asks_in_small_grids = true;
    CHECK(source_run::names(run.check(reduce)) == "deadlock race");
  }
}

namespace {

std::string found_with_order(const std::string& text, const test::grid& grid) {
  source_run run(text, grid);
  warpcheck::reductions reduce = warpcheck::reductions_from("order");
  reduce.asks_in_small_grids = true;
  return source_run::names(run.check(reduce));
}

}  // namespace

TEST_CASE("a lane that updates a place twice on its way to the access") {
  // Nobody is given the first count at the second addition.
  CHECK(found_with_order(kernel("simt::atomic<int> first{0};\nsimt::atomic<int> ready{0};\n",
                                R"(
  ready.store(1);
  while (ready.load() != 1) {
  }
  for (int i = 0; i < 2; ++i) {
    simt::atomic_ref<int, simt::thread_scope_device>(simt::block_shared<int>()).fetch_add(1);
  }
  int before = 0;
  first.compare_exchange_strong(before, int(simt::thread_rank()) + 1);
  simt::check(before != 2, "thread 1 was first");
)"),
                         {2, {1}}) == "assertion");
}

TEST_CASE("who calls both halves of a cluster's barrier passes those that have called the first") {
  const std::string text = kernel("int x = 0;\nint y = 0;\n",
                                  "if (simt::thread_rank() == 0) {\n"
                                  "  simt::cluster_arrive();\n  x = 1;\n  simt::cluster_wait();\n"
                                  "} else {\n"
                                  "  simt::cluster_sync();\n  y = x;\n"
                                  "}\n");
  CHECK(found_with_order(text, {1, {1, 1}}) == "race");
}

TEST_CASE("warps of unequal sizes: what is a whole warp for one is none for another") {
  CHECK(found_with_order(kernel("int x = 0;\nint y = 0;\n",
                                "if (simt::warp_index() == 1) {\n"
                                "  if (simt::lane_index() == 0) {\n"
                                "    simt::syncwarp(1);\n    y = x;\n"
                                "  } else {\n    x = 1;\n  }\n"
                                "}\n"),
                         {1, {1, 2}}) == "race");
  CHECK(found_with_order(
            kernel("int x = 0;\nint y = 0;\nsimt::atomic<int> flag{0};\n",
                   "if (simt::warp_index() == 0) {\n"
                   "  if (simt::lane_index() == 0) {\n    x = 1;\n    flag.store(1);\n  }\n"
                   "} else if (simt::lane_index() == 0) {\n"
                   "  simt::syncwarp(3);\n  simt::syncwarp();\n"
                   "  while (flag.load() == 0) {\n  }\n"
                   "} else {\n"
                   "  simt::syncwarp();\n  simt::syncwarp();\n  y = x;\n"
                   "}\n"),
            {1, {3, 2}}) == "race");
}

TEST_CASE("a lane that waits at a node which is not in use") {
  CHECK(found_with_order("#include <simt/pool.hpp>\n" +
                             kernel("struct node {\n  simt::atomic<int> flag{0};\n};\n"
                                    "simt::pool<node, 1> nodes;\nsimt::atomic<int> there{0};\n"
                                    "simt::atomic<int> waits{0};\n",
                                    R"(
  if (simt::thread_rank() == 0) {
    node* n = nodes.allocate();
    there.store(1);
    while (waits.load() == 0) {
    }
    nodes.retire(n);
    n = nodes.allocate();
    n->flag.store(1);
  } else {
    while (there.load() == 0) {
    }
    waits.store(1);
    while (nodes.at(1).flag.load() == 0) {
    }
  }
)"),
                         {1, {2}}) == "bad-access");
}

// A second warp that stands where a warp stands, but in another order of continuations.
TEST_CASE("warps that take one lock by one lane each are not taken for dead") {
  const std::string body = R"(
    if (simt::lane_index() == 0) {
      if (simt::warp_index() == 0) c.fetch_add(1, simt::memory_order_relaxed);
      while (l.exchange(1, simt::memory_order_acquire)) {}
      l.store(0, simt::memory_order_release);
    })";
  const std::string members = "simt::atomic<int, simt::thread_scope_device> c{0}, l{0};";
  for (const std::uint32_t lanes : {3U, 4U, 8U}) {
    CHECK(source_run(kernel(members, body), {1, {lanes, lanes}}, simt::reconvergence::stack)
              .found() == "ok");
  }
}
