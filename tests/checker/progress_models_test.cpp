// Whom a scheduler owes progress: what states remember, what reductions leave out, and what each
// model makes of small grids.
#include <doctest/doctest.h>

#include <string>

#include "checker/check/check.hpp"
#include "tests/checker/objection.hpp"
#include "tests/checker/run_source.hpp"

using simt::fairness;
using simt::progress;
using test::grid;
using test::kernel;
using test::source_run;
using warpcheck::reductions;

namespace {

const std::string flag = "simt::atomic<int, simt::thread_scope_device> flag{0};";
/// Block 1 waits for block 0.
const std::string first_gives = kernel(flag,
                                       "if (simt::block_index() == 0) {\n"
                                       "  flag.store(1);\n"
                                       "} else {\n"
                                       "  while (flag.load() == 0) {}\n"
                                       "}");

struct size {
  std::uint64_t states, transitions;
  friend bool operator==(const size&, const size&) = default;
};

std::ostream& operator<<(std::ostream& out, const size& s) {
  return out << s.states << " states, " << s.transitions << " transitions";
}

size explored(source_run& run, progress owes) {
  run.how.progress = owes;
  const warpcheck::run_result result = run.check(reductions::none());
  CHECK(result.complete);
  return {result.states, result.transitions};
}

/// Found with each of several sets of reductions; counterexamples are fair, and can be carried out.
std::string found(source_run& run, progress owes, fairness notion = fairness::weak) {
  run.how.progress = owes;
  run.how.fairness = notion;
  std::string first;
  warpcheck::session ready(run.what, run.how);
  for (const char* reduce : {"none", "order", "symmetry", "merge", "all"}) {
    CAPTURE(reduce);
    // In a session that knows what earlier checks have shown, and last in a new one.
    const reductions some = warpcheck::reductions_from(reduce);
    const warpcheck::run_result result =
        some == reductions{} ? run.check(some) : warpcheck::check(ready, run.bounds, some);
    CHECK(result.complete);
    for (const warpcheck::violation& v : result.violations) CHECK(test::objection(ready, v) == "");
    if (first.empty()) first = source_run::names(result);
    CHECK(source_run::names(result) == first);
  }
  return first;
}

}  // namespace

TEST_CASE("states remember who has started, where that counts") {
  source_run run(first_gives, {2, {1}});
  // (store, spin), (done, spin), (done, done); block 1 may go round in the first.
  CHECK(explored(run, progress::fair) == size{3, 3});
  CHECK(explored(run, progress::unfair) == size{3, 3});
  CHECK(explored(run, progress::hsa) == size{3, 3});
  // The first two both before and after block 1 has gone round; who has finished has started.
  CHECK(explored(run, progress::obe) == size{5, 6});
  CHECK(explored(run, progress::hsa_obe) == size{5, 6});
  CHECK(explored(run, progress::lobe) == size{5, 6});
}

TEST_CASE("lobe remembers the highest block only") {
  const std::string spins = kernel(flag, "while (flag.exchange(0) == 0) {}");
  source_run run(spins, {3, {1}});
  CHECK(explored(run, progress::fair) == size{1, 3});
  CHECK(explored(run, progress::obe) == size{8, 24});
  CHECK(explored(run, progress::lobe) == size{4, 12});
}

TEST_CASE("in a grid of one block all models are fair, and states remember nothing") {
  const std::string waits = kernel(flag,
                                   "if (simt::thread_rank() == 0) {\n"
                                   "  flag.store(1);\n"
                                   "} else {\n"
                                   "  while (flag.load() == 0) {}\n"
                                   "}");
  source_run run(waits, {1, {1, 2}});
  const size fair = explored(run, progress::fair);
  for (const progress owes : {progress::hsa, progress::obe, progress::hsa_obe, progress::lobe}) {
    CHECK(explored(run, owes) == fair);
    CHECK(found(run, owes) == "ok");
  }
  CHECK(found(run, progress::unfair) == "livelock");
}

TEST_CASE("a producer in the first block, and in the last") {
  source_run first(first_gives, {2, {1}});
  CHECK(found(first, progress::obe) == "livelock");
  CHECK(found(first, progress::obe, fairness::strong) == "livelock");
  CHECK(found(first, progress::hsa) == "ok");
  CHECK(found(first, progress::hsa_obe) == "ok");
  CHECK(found(first, progress::lobe) == "ok");

  source_run last(kernel(flag,
                         "if (simt::block_index() == 1) {\n"
                         "  flag.store(1);\n"
                         "} else {\n"
                         "  while (flag.load() == 0) {}\n"
                         "}"),
                  {2, {1}});
  for (const progress owes : {progress::hsa, progress::obe, progress::hsa_obe, progress::lobe}) {
    CHECK(found(last, owes) == "livelock");
    CHECK(found(last, owes, fairness::strong) == "livelock");
  }
  CHECK(found(last, progress::fair) == "ok");
}

TEST_CASE("cuda owes progress to a cluster that has started, and to a cooperative grid") {
  source_run run(first_gives, {2, {1}});
  CHECK(explored(run, progress::cuda) == explored(run, progress::obe));
  CHECK(found(run, progress::cuda) == "livelock");
  run.what.grid.cooperative = true;
  CHECK(found(run, progress::cuda) == "ok");
  run.what.grid.cooperative = false;
  run.what.grid.cluster = 2;
  CHECK(found(run, progress::cuda) == "ok");
  source_run four(first_gives, {4, {1}});
  four.what.grid.cluster = 2;
  CHECK(found(four, progress::cuda) == "livelock");
}

TEST_CASE("lobe owes progress to those below one that has started, even if that is finished") {
  // Block 0 waits for block 1, which may not have started; but not before block 2 has come and
  // gone.
  const std::string body =
      "if (simt::block_index() == 2) {\n"
      "  late.store(1);\n"
      "} else if (simt::block_index() == 1) {\n"
      "  flag.store(1);\n"
      "} else if (late.load() != 0) {\n"
      "  while (flag.load() == 0) {}\n"
      "}";
  source_run run(kernel(flag + " simt::atomic<int, simt::thread_scope_device> late{0};", body),
                 {3, {1}});
  CHECK(found(run, progress::lobe) == "ok");
  CHECK(found(run, progress::hsa_obe) == "livelock");
  CHECK(found(run, progress::hsa_obe, fairness::strong) == "livelock");
}

TEST_CASE("a private first step of a block does not run ahead: it would be owed progress") {
  const std::string body =
      "mine[simt::block_index()] = 1;\n"
      "if (simt::block_index() == 1) {\n"
      "  flag.store(1);\n"
      "} else {\n"
      "  while (flag.load() == 0) {}\n"
      "}";
  source_run run(kernel(flag + " int mine[2] = {0, 0};", body), {2, {1}});
  for (const progress owes : {progress::hsa, progress::obe, progress::hsa_obe, progress::lobe}) {
    CHECK(found(run, owes) == "livelock");
    CHECK(found(run, owes, fairness::strong) == "livelock");
  }
  CHECK(found(run, progress::fair) == "ok");
}

TEST_CASE("all lanes of a block are owed progress once one has taken a step") {
  // Lane 1 of block 0 gives what its lane 0 and block 1 wait for.
  const std::string body =
      "if (simt::thread_rank() == 1) {\n"
      "  flag.store(1);\n"
      "} else {\n"
      "  while (flag.load() == 0) {}\n"
      "}";
  source_run lanes(kernel(flag, body), {2, {2}});
  CHECK(found(lanes, progress::hsa) == "ok");
  CHECK(found(lanes, progress::lobe) == "ok");
  CHECK(found(lanes, progress::obe) == "livelock");  // block 1 alone has started
  source_run warps(kernel(flag, body), {2, {1, 1}}, simt::reconvergence::stack);
  CHECK(found(warps, progress::hsa) == "ok");
  CHECK(found(warps, progress::lobe) == "ok");
  CHECK(found(warps, progress::obe) == "livelock");
  // One warp in lockstep: the other side of its branch has to wait.
  source_run warp(kernel(flag, body), {2, {2}}, simt::reconvergence::stack);
  CHECK(found(warp, progress::hsa) == "simt-deadlock");
  CHECK(found(warp, progress::obe) == "simt-deadlock livelock");
}

TEST_CASE("a barrier: who waits at it is owed progress, and not enabled") {
  // Block 0 has its two warps meet; block 1 waits for them.
  const std::string body =
      "if (simt::block_index() == 0) {\n"
      "  simt::syncthreads();\n"
      "  flag.store(1);\n"
      "} else {\n"
      "  while (flag.load() == 0) {}\n"
      "}";
  source_run run(kernel(flag, body), {2, {1, 1}});
  CHECK(found(run, progress::hsa) == "ok");
  CHECK(found(run, progress::obe) == "livelock");
  CHECK(found(run, progress::lobe, fairness::strong) == "ok");
}

TEST_CASE("blocks that wait for a place are owed nothing") {
  source_run run(first_gives, {2, {1}});
  run.how.machine.resident = 1;
  CHECK(found(run, progress::hsa) == "deadlock");
  run.how.machine.order = simt::block_order::index;
  for (const progress owes : {progress::hsa, progress::obe, progress::hsa_obe, progress::lobe}) {
    CHECK(found(run, owes) == "ok");  // block 1 comes when all is there
  }
}

TEST_CASE("strong fairness breaks lockstep, if those who keep step are owed progress") {
  const std::string members =
      "simt::atomic<int, simt::thread_scope_device> held[2] = {0, 0};\n"
      "SIMT_FN void both(unsigned first) {\n"
      "  for (;;) {\n"
      "    while (held[first].exchange(1) != 0) {}\n"
      "    if (held[1 - first].exchange(1) == 0) break;\n"
      "    held[first].store(0);\n"
      "  }\n"
      "  held[1 - first].store(0);\n"
      "  held[first].store(0);\n"
      "}";
  source_run run(kernel(members, "both(simt::block_index() % 2);"), {2, {1}});
  for (const progress owes :
       {progress::fair, progress::hsa, progress::obe, progress::hsa_obe, progress::lobe}) {
    CHECK(found(run, owes) == "livelock");
    CHECK(found(run, owes, fairness::strong) == (owes == progress::hsa ? "livelock" : "ok"));
  }
}
