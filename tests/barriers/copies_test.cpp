// Asynchronous copies of the API: what they may do, and each mistake in their use.
#include <doctest/doctest.h>

#include <string>

#include "sim/machine/choice.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/checker/why.hpp"

using simt::memory_model;
using simt::reconvergence;
using test::kernel;
using test::source_run;

namespace {

const std::string async = "#include <simt/async.hpp>\n";

/// What both ways of scheduling find, with reductions and without; they have to agree.
std::string found(const test::grid& shape, const std::string& members, const std::string& body) {
  std::string all;
  for (const reconvergence model : {reconvergence::its, reconvergence::stack}) {
    source_run run(async + kernel(members, body), shape, model);
    const std::string one = run.found();
    CHECK(source_run::names(run.check(warpcheck::reductions::none())) == one);
    if (all.empty()) all = one;
    CHECK(one == all);
  }
  return all;
}

const std::string cells =
    "struct alignas(16) line { int value[4]; };"
    "struct cells { line tile; simt::mbarrier full; };"
    "line source{{3, 4, 5, 6}}; line sent{};";
const std::string begin =
    "auto& c = simt::block_shared<cells>(); const bool first = simt::thread_rank() == 0;"
    "if (first) { simt::mbarrier_init(c.full, 1); simt::fence_proxy_async(); }"
    "simt::syncthreads();";
const std::string wait = "while (!simt::mbarrier_try_wait_parity(c.full, 0)) {}";
const std::string is_there = "simt::check(c.tile.value[0] == 3, \"loaded\");";

std::string of_two(const std::string& one, const std::string& other) {
  return found({1, {1, 1}}, cells, begin + "if (first) {" + one + "} else {" + other + "}");
}

std::string load_and(const std::string& arrival, const std::string& reader) {
  return of_two(arrival + "simt::cp_async_bulk_load(&c.tile, &source, 16, c.full);", reader);
}

/// The same with a warp of the program's own that copies.
std::string copied_by_hand(const std::string& arrival, const std::string& reader) {
  const std::string copy =
      "while (asked.load() == 0) {} const int x = source.value[0];"
      "c.tile.value[0] = x; simt::mbarrier_complete_tx(c.full, 16);";
  return found({1, {1, 1, 1}}, cells + "simt::atomic<int> asked{0};",
               begin + "if (first) {" + arrival +
                   "asked.store(1);} else if (simt::warp_index() == 1) {" + reader + "} else {" +
                   copy + "}");
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a bulk load finds what a warp finds that copies by hand") {
  const std::string announces = "simt::mbarrier_arrive_expect_tx(c.full, 16);";
  const std::string announces_more = "simt::mbarrier_arrive_expect_tx(c.full, 32);";
  const std::string announces_nothing = "simt::mbarrier_arrive(c.full);";
  for (const auto& [arrival, reader] :
       {std::pair{announces, wait + is_there}, std::pair{announces, is_there},
        std::pair{announces_more, wait + is_there},
        std::pair{announces_nothing, wait + is_there}}) {
    CAPTURE(arrival + reader);
    CHECK(load_and(arrival, reader) == copied_by_hand(arrival, reader));
  }
  CHECK(load_and(announces, wait + is_there) == "ok");
  CHECK(load_and(announces_more, wait + is_there) == "deadlock");
  CHECK(contains(load_and(announces, is_there), "race"));
}

TEST_CASE("copies of one lane come in any order") {
  const std::string two =
      "simt::cp_async<4>(&c.tile.value[0], &source.value[0]); simt::cp_async_commit_group();"
      "simt::cp_async<4>(&c.tile.value[1], &source.value[1]); simt::cp_async_commit_group();";
  const auto one_lane = [&](const std::string& body) {
    return found({1, {1}}, cells, "auto& c = simt::block_shared<cells>();" + body);
  };
  CHECK(one_lane(two + "simt::cp_async_wait_group<0>();"
                       "simt::check(c.tile.value[0] == 3 && c.tile.value[1] == 4, \"both\");") ==
        "ok");
  // All but the last group: the first one is there.
  CHECK(one_lane(two + "simt::cp_async_wait_group<1>();"
                       "simt::check(c.tile.value[0] == 3, \"first\");") == "ok");
  CHECK(contains(one_lane(two + "simt::cp_async_wait_group<1>();"
                                "simt::check(c.tile.value[1] == 4, \"second\");"),
                 "assertion"));
}

TEST_CASE("a bulk store and the async proxy") {
  const std::string send =
      "simt::cp_async_bulk_store(&sent, &c.tile, 16); simt::cp_async_bulk_commit_group();"
      "simt::cp_async_bulk_wait_group<0>(); simt::check(sent.value[0] == 7, \"sent\");";
  const auto stores = [&](const std::string& before, const std::string& behind) {
    return of_two("c.tile.value[0] = 7;" + before + "simt::syncthreads();" + behind + send,
                  "simt::syncthreads();");
  };
  CHECK(stores("simt::fence_proxy_async();", "") == "ok");
  CHECK(stores("", "simt::fence_proxy_async();") == "ok");
  CHECK(stores("", "") == "assertion");
  // A fence of somebody else, which nothing orders with the store.
  CHECK(of_two("c.tile.value[0] = 7;" + send, "simt::fence_proxy_async();") == "assertion");
  // What a bulk copy has written needs no fence.
  CHECK(of_two("simt::mbarrier_arrive_expect_tx(c.full, 16);"
               "simt::cp_async_bulk_load(&c.tile, &source, 16, c.full);" +
                   wait +
                   "simt::cp_async_bulk_store(&sent, &c.tile, 16);"
                   "simt::cp_async_bulk_commit_group(); simt::cp_async_bulk_wait_group<0>();"
                   "simt::check(sent.value[0] == 3, \"sent\");",
               "") == "ok");
}

TEST_CASE("a thread ends only after its bulk stores have read shared memory") {
  const auto sends = [](const std::string& rest) {
    return found({1, {1, 1}}, cells,
                 "auto& c = simt::block_shared<cells>();"
                 "if (simt::thread_rank() == 0) { c.tile.value[0] = 7; simt::fence_proxy_async();"
                 "simt::cp_async_bulk_store(&sent, &c.tile, 16);" +
                     rest + "}");
  };
  const std::string commit = "simt::cp_async_bulk_commit_group();";
  CHECK(sends(commit + "simt::cp_async_bulk_wait_group_read<0>();") == "ok");
  CHECK(sends(commit + "simt::cp_async_bulk_wait_group<0>();") == "ok");
  CHECK(sends("") == "assertion");
  CHECK(sends(commit) == "assertion");
  // The wait is for groups, and the store is in none.
  CHECK(sends("simt::cp_async_bulk_wait_group<0>();") == "assertion");
  CHECK(sends(commit + "simt::cp_async_bulk_wait_group<1>();") == "assertion");
}

TEST_CASE("copies that nobody waits for end before the block does") {
  source_run run(async + kernel(cells,
                                "simt::cp_async<4>(&simt::block_shared<cells>().tile,"
                                "&source); simt::cp_async_commit_group();"),
                 {2, {1}});
  CHECK(run.found() == "ok");
}

TEST_CASE("the agent is none of the block's threads") {
  CHECK(found({1, {2, 1}}, "simt::device_array<int> each{\"each\"};",
              "simt::syncthreads();"
              "simt::check(simt::block_size() == 3 && simt::warp_count() == 2, \"block\");"
              "simt::check(simt::grid_size() == 3 && each.size() == 3, \"grid\");"
              "each[simt::thread_rank()] = 1; simt::bar_sync(1, 64);") == "ok");
}

TEST_CASE("a subject that includes the header and copies nothing has no agent") {
  source_run run(async + kernel("", "simt::syncthreads();"), {1, {1}});
  run.how.machine.memory = memory_model::ptx;
  CHECK(run.found() == "ok");
}

TEST_CASE("where copies are not known") {
  source_run run(async + kernel("", "simt::fence_proxy_async();"), {1, {1}});
  run.how.machine.memory = memory_model::ptx;
  CHECK(contains(run.error(), "which memory = \"ptx\" does not have"));
  const std::string copy = "simt::cp_async<4>(&c.tile.value[0], &source.value[0]);";
  source_run many(async + kernel(cells, "auto& c = simt::block_shared<cells>();" + copy + copy +
                                            copy + copy + copy),
                  {1, {1}});
  CHECK(contains(many.error(), "more than 4 of a block at a time"));
}

TEST_CASE("the agent's steps are read as they are written") {
  simt::grid_shape grid{2, {2, 1}};
  grid.copies = true;
  const simt::choice by{simt::choice::kind::lane, 5, simt::choice::chooses | 1};
  CHECK(simt::to_text(by, grid) == "b1.copies chooses 1");
  CHECK(simt::choice_from("b1.copies chooses 1", grid) == by);
  CHECK(simt::choice_from("b0.copies", grid) == simt::choice{simt::choice::kind::lane, 2, 0});
}

// Block 0 copies into block 1, which waits at its own mbarrier.
namespace {

std::string sent_to_peer(const std::string& copy, const std::string& wait,
                         const std::string& fence = "simt::fence_proxy_async();") {
  std::string all;
  for (const reconvergence model : {reconvergence::its, reconvergence::stack}) {
    source_run run(
        async + kernel(cells + "struct tiles { line tile; };",
                       "auto& c = simt::block_shared<cells>();"
                       "auto& own = simt::block_shared<tiles>();"
                       "const bool sends = simt::cluster_block_rank() == 0;"
                       "if (sends) own.tile.value[0] = 7; else simt::mbarrier_init(c.full, 1);" +
                           fence +
                           "simt::cluster_sync();"
                           "if (sends) {"
                           "  auto& peer = simt::cluster_shared<cells>(1);" +
                           copy + "} else {" + wait +
                           "  simt::check(c.tile.value[0] == 7, \"sent\"); }"
                           "simt::cluster_sync();"),
        {2, {1}}, model);
    run.what.grid.cluster = 2;
    const std::string one = run.found();
    CHECK(source_run::names(run.check(warpcheck::reductions::none())) == one);
    if (all.empty()) all = one;
    CHECK(one == all);
  }
  return all;
}

}  // namespace

TEST_CASE("a bulk copy into the shared memory of another block of the cluster") {
  const std::string
      expect = "simt::mbarrier_arrive_expect_tx<simt::thread_scope_cluster>(peer.full, 16);",
      expect_own = "simt::mbarrier_arrive_expect_tx(c.full, 16);",
      copy = "simt::cp_async_bulk_to_cluster(&peer.tile, &own.tile, 16, peer.full);",
      wait_cluster =
          "while (!simt::mbarrier_try_wait_parity<simt::thread_scope_cluster>"
          "(c.full, 0)) {}";
  // The waiting block announces the bytes itself, and waits with its own scope.
  CHECK(sent_to_peer(copy, expect_own + wait) == "ok");
  CHECK(contains(sent_to_peer(copy, expect_own), "race"));
  // The sender announces them: a wait with the scope of the block does not include it.
  CHECK(sent_to_peer(expect + copy, wait_cluster) == "ok");
  CHECK(contains(sent_to_peer(expect + copy, wait), "race"));
  CHECK(contains(sent_to_peer(copy, expect_own + wait, ""), "assertion"));
  CHECK(sent_to_peer("", expect_own + wait) == "deadlock");
}

TEST_CASE("a report does not take the agent for a thread that waits") {
  source_run run(
      async + kernel(cells, begin +
                                "if (first) {"
                                "  simt::mbarrier_arrive_expect_tx(c.full, 32);"
                                "  simt::cp_async_bulk_load(&c.tile, &source, 16, c.full);"
                                "}" +
                                wait),
      {1, {1, 1}}, reconvergence::its);
  const std::string text = test::why(run);
  CAPTURE(text);
  CHECK(contains(text, "Both lanes can never finish"));
  CHECK(contains(text,
                 "No lane that is left would set it so; copies set it to phase 0: 1 of 1 "
                 "arrived, 16 bytes outstanding last."));
  CHECK(!contains(text, "copy_desk"));
  // Nor at a barrier.
  source_run meets(
      async + kernel(cells, begin +
                                "if (first) {"
                                "  simt::mbarrier_arrive_expect_tx(c.full, 16);"
                                "  simt::cp_async_bulk_load(&c.tile, &source, 16, c.full);" +
                                wait + "  simt::syncthreads(); } else { while (true) {} }"),
      {1, {1, 1}}, reconvergence::its);
  const std::string other = test::why(meets);
  CAPTURE(other);
  CHECK(contains(other, "w0.l0 waits at syncthreads"));
  CHECK(!contains(other, "copies"));
}
