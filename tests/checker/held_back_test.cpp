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
  std::string includes{};
  bool spares = true;  // questions save states in some of the programs
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
        source_run run(how.includes + all_lanes(body, how.members), how.grid, model);
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
    CHECK((spared > 0 || !how.spares));
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

TEST_CASE("generated programs that use barriers with a count and without one") {
  generated how{
      {"if (w == 0) simt::bar_sync(1); else simt::bar_sync(1, 32);\n",
       "if (w == 1) simt::bar_sync(1, 32);\n", "if (w != 0) simt::named_barrier_arrive(1, 1);\n",
       "if (w == 0) simt::bar_sync(1); else simt::named_barrier_sync(2, 2);\n",
       "simt::bar_sync(1);\n", "simt::named_barrier_sync(2, 2);\n",
       "if (w == 1 || seen[0] == 1) simt::bar_sync(1);\n", "if (w == 0) cells[l] = 1;\n",
       "cells[t] += 1;\n", "seen[t] = cells[3 - l];\n",
       "if (l == 1 && flag.load(simt::memory_order_relaxed) == 0) return;\n",
       "if (w == 0) while (flag.load(simt::memory_order_acquire) == 0) {}\n",
       "if (w == 1) flag.store(1, simt::memory_order_release);\n",
       "simt::check(w == 0 || flag.load(simt::memory_order_relaxed) == 0, \"early\");\n"},
      "",
      {1, {2, 2}},
      1,
      "simt::atomic<int> flag{0};\n"};
  how.spares = false;  // nearly all programs have a divergence, and nobody runs ahead of one
  compare(75, 15, how);
  generated narrow = how;
  narrow.grid = {1, {1, 1, 1}};
  compare(76, 15, narrow);
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

TEST_CASE("lanes that meet at one mbarrier again and again") {
  const std::string round =
      "cells[t] += 1;\n"
      "{ const auto token = simt::mbarrier_arrive(bar);\n"
      "  for (int tries = 0; !simt::mbarrier_try_wait(bar, token); tries += tries < 3 ? 1 : 0) {} "
      "}\n"
      "seen[t] = cells[T - 1 - t];\n"
      "{ const auto token = simt::mbarrier_arrive(bar);\n"
      "  if (!simt::mbarrier_try_wait(bar, token)) while (!simt::mbarrier_try_wait(bar, token)) {} "
      "}\n";
  for (const std::uint32_t threads : {16U, 40U}) {
    source_run run("#include <simt/mbarrier.hpp>\n" +
                       all_lanes("constexpr unsigned T = " + std::to_string(threads) +
                                     ";\nif (t == 0) simt::mbarrier_init(bar, T);\n"
                                     "simt::syncthreads();\n" +
                                     round + round,
                                 "simt::mbarrier bar;\n"),
                   {1, {threads}});
    const auto found = run.check();
    CHECK(source_run::names(found) == "ok");
    CHECK(found.states < 20);
  }
}

TEST_CASE("generated programs of lanes that meet at an mbarrier again and again") {
  compare(
      75, 40,
      {{"{ const auto k = simt::mbarrier_arrive(bar); while (!simt::mbarrier_try_wait(bar, k)) {} "
        "}\n",
        "{ const auto k = simt::mbarrier_arrive(bar);\n"
        "  for (int i = 0; !simt::mbarrier_try_wait(bar, k); i += i < 2 ? 1 : 0) {} }\n",
        "{ const auto k = simt::mbarrier_arrive(bar);\n"
        "  if (!simt::mbarrier_try_wait(bar, k)) while (!simt::mbarrier_try_wait(bar, k)) {} }\n",
        "{ const auto k = simt::mbarrier_arrive(bar); if (simt::mbarrier_try_wait(bar, k)) seen[t] "
        "= 1; }\n",
        "{ const auto k = simt::mbarrier_arrive(bar); cells[t] += 1;\n"
        "  while (!simt::mbarrier_try_wait(bar, k)) {} }\n",
        "if (t == 2) (void)simt::mbarrier_arrive(bar);\n",
        "if (t == 1) while (!simt::mbarrier_try_wait_parity(bar, 0)) {}\n",
        "if (t == 0) (void)simt::mbarrier_arrive(bar, 2);\n", "cells[t] += 1;\n",
        "seen[t] = cells[2 - t];\n", "seen[t] = cells[t == 0 ? 0 : t - 1];\n",
        "simt::syncthreads();\n", "if (t == 1 && seen[t] == 1) return;\n"},
       "if (t == 0) simt::mbarrier_init(bar, 3);\nsimt::syncthreads();\n",
       {1, {1, 2}},
       1,
       "simt::mbarrier bar;\n",
       "#include <simt/mbarrier.hpp>\n"});
}

TEST_CASE("generated programs of lanes that wait for counts") {
  compare(76, 40,
          {{"n.fetch_add(1);\n", "if (n.fetch_add(1) == 2) m.store(1);\n",
            "while (n.load() == 0) {}\n", "if (n.load() < 2) while (n.load() < 2) {}\n",
            "for (int i = 0; n.load() < 3; i += i < 2 ? 1 : 0) {}\n",
            "seen[t] = n.load() > 0 ? 1 : 0;\n", "if (n.load() == 3) cells[t] = 1;\n",
            "while (m.load() != 1) {}\n", "if (t == 0) m.store(1);\n",
            "if (m.load() == 1) n.fetch_sub(1);\n", "if (t == 2) n.store(2);\n", "cells[t] += 1;\n",
            "seen[t] = cells[2 - t];\n", "simt::syncthreads();\n",
            "simt::check(n.load() < 5, \"few\");\n"},
           "",
           {1, {1, 2}},
           1,
           "simt::atomic<int> n{0}, m{0};\n"});
}

TEST_CASE("generated programs in lockstep that meet at syncwarps") {
  compare(
      77, 40,
      {{"simt::syncwarp();\n", "simt::syncwarp();\n", "cells[t] += 1;\n",
        "seen[t] = cells[3 - t];\n", "cells[3 - t] = 2;\n", "if (l < 2) cells[t] = cells[t + 2];\n",
        "if (l == 1) cells[0] = 1; else seen[t] = cells[0];\n",
        "if (l < 2) { cells[t] = 3; simt::syncwarp(simt::activemask()); seen[t] = cells[1 - t]; "
        "}\n",
        "n.fetch_add(1);\n", "seen[t] = n.load();\n", "if (l == 3) n.store(1);\n",
        "while (n.load() == 0) {}\n", "if (l == 0) while (n.load() == 0) {}\n",
        "if (l == 2 && n.load() == 1) return;\n"},
       "",
       {1, {4}},
       1,
       "simt::atomic<int> n{0};\n"});
}

TEST_CASE("in lockstep, neighbours that meet at a syncwarp") {
  source_run run(all_lanes("cells[t] = 1;\nsimt::syncwarp();\nconst int v = cells[31 - t];\n"
                           "simt::syncwarp();\ncells[t] = v + 1;\n"),
                 {1, {32}}, reconvergence::stack);
  CHECK(source_run::names(run.check()) == "ok");
  CHECK(run.check().states < 10);
  source_run wrong(all_lanes("cells[t] = 1;\nseen[t] = cells[31 - t];\n"), {1, {32}},
                   reconvergence::stack);
  CHECK(source_run::names(wrong.check()) == "race");
}

TEST_CASE("a wait in two places, behind which lanes meet in two places") {
  source_run run(all_lanes("if (t == 0) { flag.store(1); z.store(1); }\n"
                           "else if (t == 1 && flag.load() == 0) {\n"
                           "  while (flag.load() == 0) {}\n  simt::syncthreads();\n  return;\n}\n"
                           "simt::syncthreads();\n",
                           "simt::atomic<int> flag{0}, z{0};\n"),
                 {1, {16}});
  CHECK(source_run::names(run.check()) ==
        source_run::names(run.check(warpcheck::reductions::none())));
}

TEST_CASE("in lockstep a syncwarp waits for nobody") {
  source_run run(
      all_lanes("if (t == 0) { x.store(1); go.store(1); }\n"
                "else if (t == 8) { simt::syncwarp(); simt::check(x.load() == 1, \"x\"); }\n"
                "else if (t > 8) while (go.load() == 0) {}\n",
                "simt::atomic<int> x{0}, go{0};\n"),
      {1, {8, 8}}, reconvergence::stack);
  const auto found = run.check();
  CHECK((found.found() & bit(warpcheck::verdict::assertion)) != 0);
}
