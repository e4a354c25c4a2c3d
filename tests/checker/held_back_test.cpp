// What a lane that stands still keeps others from: named barriers, the shared memory of a cluster,
// mbarriers. Generated programs have the same violations with reductions as without.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "checker/run/reductions.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/naive/random.hpp"
#include "tests/tier.hpp"

using simt::memory_model;
using simt::reconvergence;
using test::kernel;
using test::source_run;

namespace {

std::string all_lanes(const std::string& body, const std::string& members = "") {
  return kernel("int cells[64]{};\nint seen[64]{};\n" + members,
                "const unsigned t = simt::thread_rank(), w = simt::warp_index();\n"
                "const unsigned l = simt::lane_index();\n" +
                    body);
}

/// One warp writes its cells, and each lane of the other one reads one of them.
std::string producer(const std::string& arrives, const std::string& waits) {
  return all_lanes("if (w == 0) {\n  cells[l] = 1;\n" + arrives + "} else {\n" + waits +
                   "  seen[l] = cells[15 - l];\n}\n");
}

struct generated {
  std::vector<std::string> pieces;
  std::string begin;
  test::grid grid;
  std::uint32_t cluster = 1;
  std::string members{};
};

/// Compares all reductions with none.
void compare(int seed, int programs, const generated& how) {
  naive::random_source random(static_cast<unsigned>(seed));
  std::map<std::string, int> seen;
  int spared = 0;
  for (int program = 0; program < programs; ++program) {
    std::string body = how.begin;
    for (int i = 3 + random.below(4); i > 0; --i)
      body +=
          how.pieces[static_cast<std::size_t>(random.below(static_cast<int>(how.pieces.size())))];
    if (!test::is_due(fmt::format("held back {} {}", seed, program))) continue;
    for (const reconvergence model : {reconvergence::its, reconvergence::stack}) {
      for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
        source_run run(all_lanes(body, how.members), how.grid, model);
        run.what.grid.cluster = how.cluster;
        run.how.machine.memory = memory;
        run.bounds.max_states = 30'000;
        INFO(body, "seed ", seed, ", memory ", static_cast<int>(memory));
        const warpcheck::run_result plain = run.check(warpcheck::reductions::none());
        if (!plain.complete) continue;
        ++seen[source_run::names(plain)];
        for (const char* const some : {"order", "merge,symmetry,order,dead"}) {
          warpcheck::reductions reduce = warpcheck::reductions_from(some);
          const std::uint64_t unasked = run.check(reduce).states;
          reduce.asks_in_small_grids = true;
          const warpcheck::run_result asked = run.check(reduce);
          CHECK(asked.complete);
          // (Behind a race under ptx other violations may be hidden.)
          const bool races = (plain.found() & bit(warpcheck::verdict::race)) != 0;
          if (memory == memory_model::ptx && races) {
            CHECK((asked.found() & bit(warpcheck::verdict::race)) != 0);
          } else {
            CHECK(source_run::names(asked) == source_run::names(plain));
          }
          spared += asked.states < unasked ? 1 : 0;
        }
      }
    }
  }
  for (const auto& [names, count] : seen) MESSAGE(names, ": ", count, " times");
  MESSAGE(spared, " explorations have fewer states by questions");
  if (test::is_thorough()) {
    CHECK(seen.size() >= 3);
    CHECK(spared > 0);
  }
}

}  // namespace

TEST_CASE("a named barrier keeps a warp from what another one does before its arrival") {
  for (const reconvergence model : {reconvergence::its, reconvergence::stack}) {
    for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
      const auto run = [&](const std::string& text) {
        source_run one(text, {1, {16, 16}}, model);
        one.how.machine.memory = memory;
        return one.check();
      };
      for (const char* const arrives :
           {"simt::named_barrier_arrive(1, 2);\n", "simt::named_barrier_sync(1, 2);\n"}) {
        const auto right = run(producer(arrives, "simt::named_barrier_sync(1, 2);\n"));
        CHECK(source_run::names(right) == "ok");
        CHECK(right.states < 50);
      }
      // Another barrier, or one that the reader's warp completes alone, keeps nobody.
      CHECK(source_run::names(run(producer("simt::named_barrier_arrive(1, 2);\n",
                                           "simt::named_barrier_sync(2, 1);\n"))) == "race");
    }
  }
}

TEST_CASE("lanes of a cluster read each other's shared memory between its barriers") {
  const auto run = [](const std::string& between, const std::string& behind) {
    source_run one(
        all_lanes("auto& own = simt::block_shared<int[16]>();\n"
                  "const unsigned r = simt::cluster_block_rank();\n"
                  "own[l] = 1;\n" +
                  between + "seen[t] = simt::cluster_shared<int[16]>(1 - r)[l];\n" + behind),
        {2, {16}});
    one.what.grid.cluster = 2;
    one.bounds.max_states = 2'000;
    return one.check();
  };
  const std::string sync = "simt::cluster_sync();\n";
  const auto right = run(sync, sync);
  CHECK(source_run::names(right) == "ok");
  CHECK(right.states < 50);
  CHECK((run("", sync).found() & bit(warpcheck::verdict::race)) != 0);
  CHECK((run(sync, "").found() & bit(warpcheck::verdict::bad_access)) != 0);
  // The same by halves. A lane that has arrived may pass one wait more.
  const std::string arrive = "simt::cluster_arrive();\n", wait = "simt::cluster_wait();\n";
  const auto halves = run(arrive + wait, arrive + wait);
  CHECK(source_run::names(halves) == "ok");
  CHECK(halves.states < 50);
  CHECK((run(arrive, wait + sync).found() & bit(warpcheck::verdict::race)) != 0);
  CHECK((run(arrive + wait + arrive, "own[l] = 2;\n" + wait).found() &
         bit(warpcheck::verdict::race)) != 0);
}

TEST_CASE("blocks that take turns by a vote of all their threads") {
  const auto run = [](const std::string& leaves) {
    source_run one(
        all_lanes("const unsigned b = simt::block_index();\n"
                  "int now = -1;\n"
                  "do {\n"
                  "  if (l == 0) now = turn.load(simt::memory_order_acquire);\n"
                  "} while (simt::bar_red_and(0, 0, l != 0 || now != int(b)));\n"
                  "cells[b == 0 ? l : 15 - l] += 1;\n" +
                      leaves + "if (l == 0) turn.store(int(b) + 1, simt::memory_order_release);\n",
                  "simt::atomic<int> turn{0};\n"),
        {2, {16}});
    return one.check();
  };
  const auto right = run("simt::syncthreads();\n");
  CHECK(source_run::names(right) == "ok");
  CHECK(right.states < 100);
  CHECK((run("").found() & bit(warpcheck::verdict::race)) != 0);
}

TEST_CASE("no block of a cluster ends ahead of accesses to its shared memory") {
  const std::string begin =
      "auto& own = simt::block_shared<int[2]>();\n"
      "const unsigned r = simt::cluster_block_rank();\n"
      "own[l] = 0;\n"
      "simt::cluster_sync();\n";
  const auto found = [&](const std::string& behind, reconvergence model, memory_model memory) {
    source_run one(all_lanes(begin + behind), {2, {2}}, model);
    one.what.grid.cluster = 2;
    one.how.machine.memory = memory;
    return source_run::names(one.check());
  };
  for (const reconvergence model : {reconvergence::its, reconvergence::stack}) {
    for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
      // Nobody else accesses what is read.
      CHECK(found("seen[t] = simt::cluster_shared<int[2]>(1 - r)[l];\n", model, memory) ==
            "bad-access");
      // The lanes of block 0 end together, at their barrier. Before that, those of block 1 race.
      CHECK(found("if (r == 1) simt::cluster_shared<int[2]>(0)[1 - l] = 4;\n"
                  "if (r == 1 && l == 0) seen[t] = simt::cluster_shared<int[2]>(0)[l];\n"
                  "simt::syncthreads();\n",
                  model, memory) == "bad-access race");
    }
  }
}

TEST_CASE("lanes that read mirrored cells behind an mbarrier") {
  for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
    source_run run("#include <simt/mbarrier.hpp>\n" +
                       all_lanes("if (t == 0) simt::mbarrier_init(bar, 16);\n"
                                 "simt::syncthreads();\n"
                                 "cells[t] = 1;\n"
                                 "simt::mbarrier_arrive(bar);\n"
                                 "while (!simt::mbarrier_try_wait_parity(bar, 0)) {}\n"
                                 "simt::check(cells[15 - t] == 1, \"all have written\");\n",
                                 "simt::mbarrier bar;\n"),
                   {1, {16}});
    run.how.machine.memory = memory;
    const auto found = run.check();
    CHECK(source_run::names(found) == "ok");
    CHECK(found.states < 50);
  }
}

TEST_CASE("generated programs with named barriers") {
  compare(71, 30,
          {{"if (w == 0) simt::named_barrier_arrive(1, 2); else simt::named_barrier_sync(1, 2);\n",
            "if (w == 0) simt::named_barrier_sync(2, 2); else simt::named_barrier_arrive(2, 2);\n",
            "simt::named_barrier_sync(1, 2);\n", "simt::named_barrier_arrive(1, 1);\n",
            "if (w == 0) simt::named_barrier_arrive(1, 2);\n", "simt::syncthreads();\n",
            "cells[t] += 1;\n", "seen[t] = cells[3 - t];\n", "if (w == 0) cells[t + 2] = 5;\n",
            "if (w == 1 && seen[t] == 1) simt::named_barrier_sync(1, 2);\n",
            "if (w == 1) seen[t] = cells[t - 2];\n"},
           "",
           {1, {2, 2}}});
}

TEST_CASE("generated programs of blocks that take turns by votes") {
  compare(74, 30,
          {{"do { now = turn.load(); } while (simt::bar_red_and(0, 0, l != 0 || now != b));\n",
            "do { now = turn.load(); } while (simt::bar_red_or(0, 0, l == 0 && now != b));\n",
            "while (simt::bar_red_popc(0, 0, turn.load() == b) == 0) {}\n",
            "simt::syncthreads();\nif (l == 0) turn.store(1 - b);\n",
            "if (l == 0) turn.store(1 - b);\n", "cells[l] += 1;\n", "cells[l] = b;\n",
            "seen[t] = cells[1 - l];\n", "simt::syncthreads();\n",
            "if (simt::bar_red_or(0, 0, cells[l] == 2)) seen[t] = 1;\n",
            "if (l == 1 && cells[0] == 1) return;\n"},
           "const int b = int(simt::block_index());\nint now = 0;\n",
           {2, {2}},
           1,
           "simt::atomic<int> turn{0};\n"});
}

TEST_CASE("generated programs with the shared memory of a cluster") {
  compare(72, 30,
          {{"simt::cluster_sync();\n", "simt::cluster_sync();\n", "own[l] += 1;\n",
            "seen[t] = simt::cluster_shared<int[2]>(1 - r)[l];\n",
            "simt::cluster_shared<int[2]>(1 - r)[1 - l] = 4;\n", "simt::syncthreads();\n",
            "simt::cluster_arrive();\n simt::cluster_wait();\n",
            "simt::cluster_arrive();\n own[l] += 2;\n simt::cluster_wait();\n",
            "simt::cluster_arrive();\n seen[t] = simt::cluster_shared<int[2]>(1 - r)[l];\n"
            "simt::cluster_wait();\n",
            "if (r == 1 && l == 0) seen[t] = simt::cluster_shared<int[2]>(0)[l];\n",
            "if (r == 0) own[l] = 3;\n"},
           "auto& own = simt::block_shared<int[2]>();\n"
           "const unsigned r = simt::cluster_block_rank();\n",
           {2, {2}},
           2});
}
