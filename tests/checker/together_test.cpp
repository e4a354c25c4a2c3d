// Blocks that run together: clusters, their shared memory, and barriers of a whole grid.
#include <doctest/doctest.h>

#include <string>

#include "sim/machine/choice.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/tier.hpp"

using simt::memory_model;
using simt::reconvergence;
using test::kernel;
using test::source_run;

namespace {

struct together {
  std::uint32_t blocks = 2;
  std::uint32_t cluster = 1;
  bool cooperative = false;
  std::vector<std::uint32_t> lanes{1};
};

/// What all four models find, with reductions and without; they have to agree.
std::string found(const together& grid, const std::string& members, const std::string& body,
                  const std::string& check = "") {
  std::string all;
  for (const reconvergence model : {reconvergence::its, reconvergence::stack}) {
    for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
      source_run run(kernel(members, body, check), {grid.blocks, grid.lanes}, model);
      run.what.grid.cluster = grid.cluster;
      run.what.grid.cooperative = grid.cooperative;
      run.how.machine.memory = memory;
      const std::string one = run.found();
      const std::string which = body + std::to_string(static_cast<int>(memory));
      if (memory == memory_model::sc || test::is_due(which)) {
        CHECK(source_run::names(run.check(warpcheck::reductions::none())) == one);
      }
      if (all.empty()) all = one;
      CHECK(one == all);
    }
  }
  return all;
}

const std::string neighbour =
    "const unsigned me = simt::block_index();"
    "cells[me] = 1 + int(me);"
    "simt::grid_sync();"
    "simt::check(cells[(me + 1) % 2] == 1 + int((me + 1) % 2), \"the neighbour's\");";

const std::string peer =
    "const unsigned me = simt::cluster_block_rank();"
    "const unsigned other = (me + 1) % simt::cluster_size();"
    "if (simt::lane_index() == 0) simt::block_shared<int>() = 1 + int(simt::block_index());";
const std::string first_sync = "simt::cluster_sync();";
const std::string reads_peer =
    "simt::check(simt::cluster_shared<int>(other) == int(simt::block_index() - me + other) + 1,"
    "\"the peer's\");";

}  // namespace

TEST_CASE("a grid's barrier orders what comes before it") {
  CHECK(found({2, 1, true}, "int cells[2]{};", neighbour) == "ok");
  CHECK(found({2, 1, true, {2, 1}}, "simt::atomic<int> n{0};",
              "n.fetch_add(1); simt::grid_sync(); simt::check(n.load() == 6, \"all\");") == "ok");
}

TEST_CASE("a block alone is a cluster and a grid, and waits for its place") {
  const std::string both =
      "n.fetch_add(1); simt::grid_sync(); simt::cluster_sync(); simt::check(n.load() == 2, "
      "\"both\");";
  CHECK(found({1, 1, true, {2}}, "simt::atomic<int> n{0};", both) == "ok");
  // The second block comes when the first one has ended.
  source_run run(kernel("simt::atomic<int> n{0};",
                        "simt::cluster_sync(); if (simt::block_index() == 1) n.store(1);"
                        "else simt::check(n.load() == 0, \"alone\");"),
                 {2, {1}});
  run.how.machine.resident = 1;
  run.how.machine.order = simt::block_order::index;
  CHECK(run.found() == "ok");
}

TEST_CASE("a grid's barrier needs a cooperative launch") {
  CHECK(found({2, 1, false}, "int cells[2]{};", neighbour) == "barrier-divergence");
}

TEST_CASE("who has ended is waited for at a grid's barrier, and not at a cluster's") {
  CHECK(found({2, 1, true}, "", "if (simt::block_index() == 0) simt::grid_sync();") == "deadlock");
  CHECK(found({2, 1, true}, "",
              "simt::grid_sync(); if (simt::block_index() == 1) simt::grid_sync();") == "deadlock");
  CHECK(found({2, 2}, "", "if (simt::block_index() == 0) simt::cluster_sync();") == "ok");
}

TEST_CASE("a block reads the shared memory of its peer") {
  CHECK(found({2, 2}, "", peer + first_sync + reads_peer + first_sync) == "ok");
  CHECK(found({4, 2}, "", peer + first_sync + reads_peer + first_sync) == "ok");
  CHECK(found({2, 2, false, {2}}, "", peer + first_sync + reads_peer + first_sync) == "ok");
}

TEST_CASE("the peer's shared memory is gone once it has ended") {
  CHECK(found({2, 2}, "", peer + first_sync + reads_peer) == "bad-access");
}

TEST_CASE("nothing orders accesses to the peer's shared memory without a barrier") {
  const std::string all = found(
      {2, 2}, "", peer + "const int x = simt::cluster_shared<int>(other); (void)x;" + first_sync);
  CHECK(all == "race");
}

TEST_CASE("a cluster has no block of that rank; another cluster's memory is out of reach") {
  CHECK(found({2, 2}, "", "simt::cluster_shared<int>(2) = 1;") == "bad-access");
  CHECK(found({2, 1}, "simt::atomic<int*> at{nullptr};",
              "if (simt::block_index() == 0) at.store(&simt::block_shared<int>());"
              "else if (int* p = at.load()) *p = 1;") == "bad-access");
}

TEST_CASE("the scope of a cluster includes its blocks, and no others") {
  const std::string add =
      "simt::atomic_ref<int, simt::thread_scope_cluster>(n)"
      ".fetch_add(1, simt::memory_order_relaxed);";
  CHECK(found({2, 2}, "int n = 0;", add, "return n == 2;") == "ok");
  CHECK(found({2, 1}, "int n = 0;", add).find("race") != std::string::npos);
}

TEST_CASE("steps of several blocks are read as they are written") {
  const simt::grid_shape grid{4, {2}};
  const simt::choice by{simt::choice::kind::block, 2, 2};
  CHECK(simt::to_text(by, grid) == "b2 sync 2");
  CHECK(simt::choice_from("b2 sync 2", grid) == by);
  CHECK_THROWS_AS(simt::choice_from("b2 sync 3", grid), std::invalid_argument);
  CHECK_THROWS_AS(simt::choice_from("b2 sync 0", grid), std::invalid_argument);
}
