// The scopes that reports ask for, where lanes of different blocks race.
#include <doctest/doctest.h>

#include <string>

#include "checker/report/report.hpp"
#include "tests/checker/run_source.hpp"

namespace {

using simt::memory_model;

/// The sentences and the remedy of the race, where a cluster has so many of the four blocks.
std::string race_in(const std::string& members, const std::string& body, std::uint32_t cluster,
                    memory_model memory) {
  test::source_run run(test::kernel(members, body), {4, {1}});
  run.what.grid.cluster = cluster;
  run.how.machine.memory = memory;
  warpcheck::session ready(run.what, run.how);
  const warpcheck::run_result result = warpcheck::check(ready, run.bounds);
  warpcheck::names named(ready);
  for (const warpcheck::violation& v : result.violations) {
    if (v.kind != warpcheck::verdict::race) continue;
    const auto shown = warpcheck::show(ready, named, v);
    std::string text;
    for (const std::string& one : shown.why) text += one + "\n";
    return text + "remedy: " + shown.remedy;
  }
  return "no race";
}

bool asks_for(const std::string& scope, const std::string& text) {
  CAPTURE(text);
  const bool asks = text.find("remedy: scope `" + scope + "`") != std::string::npos;
  CHECK(asks);
  return asks;
}

}  // namespace

TEST_CASE("blocks of one cluster need no wider scope than that") {
  const std::string counter = "simt::atomic<int, simt::thread_scope_block> count{0};",
                    add = "if (simt::block_index() < 2) count.fetch_add(1);";
  const std::string flag = "simt::atomic<int, simt::thread_scope_block> flag{0}; int data = 0;";
  const std::string hand_over =
      "const unsigned b = simt::block_index();"
      "if (b == 0) { data = 1; flag.store(1, simt::memory_order_release); }"
      "if (b == 1) { while (flag.load(simt::memory_order_acquire) == 0) {} data = 2; }";
  for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
    CHECK(asks_for("cluster", race_in(counter, add, 2, memory)));
    CHECK(asks_for("cluster", race_in(counter, add, 4, memory)));
    CHECK(asks_for("device", race_in(counter, add, 1, memory)));
    CHECK(asks_for("cluster", race_in(flag, hand_over, 2, memory)));
    CHECK(asks_for("device", race_in(flag, hand_over, 1, memory)));
  }
}

TEST_CASE("lanes of different clusters need the scope of the device") {
  const std::string counter = "simt::atomic<int, simt::thread_scope_cluster> count{0};",
                    add = "if (simt::block_index() % 2 == 0) count.fetch_add(1);";
  for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
    const std::string text = race_in(counter, add, 2, memory);
    CHECK(asks_for("device", text));
    if (memory == memory_model::sc)
      CHECK(text.find("are in different clusters") != std::string::npos);
  }
}
