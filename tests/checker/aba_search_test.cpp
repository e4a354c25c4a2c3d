// Compare-exchanges that succeed although their location changed and changed back, where no
// violation follows.
#include <doctest/doctest.h>

#include <string>

#include "checker/explore/aba_search.hpp"
#include "checker/report/aba.hpp"
#include "tests/checker/run_source.hpp"

namespace {

using test::kernel;
using test::source_run;

/// Steps of the biography of the one that is found; 0: there is none, for sure.
std::size_t events(const std::string& body, std::uint32_t lanes = 2,
                   simt::memory_model memory = simt::memory_model::sc) {
  source_run run(kernel("simt::atomic<int> place{0}; simt::atomic<int> turn{0};", body),
                 {1, {lanes}});
  run.how.machine.memory = memory;
  warpcheck::session ready(run.what, run.how);
  const auto result = warpcheck::search_aba(ready, {});
  REQUIRE(result.complete);
  if (!result.found) return 0;
  warpcheck::names named(ready);
  const auto all = warpcheck::find_aba(warpcheck::follow(ready, named, *result.found));
  REQUIRE(all.size() == 1);
  return all.back().biography.size();
}

}  // namespace

TEST_CASE("a location that changes and changes back") {
  CHECK(events("int v = place.load(); place.compare_exchange_strong(v, v + 1); "
               "place.fetch_sub(1);") == 4);  // looked, up, down, exchanged
  // Nobody brings the value back.
  CHECK(events("int v = place.load(); place.compare_exchange_strong(v, v + 1);") == 0);
  // The last look is the failed exchange itself.
  CHECK(events("int v = 5; place.compare_exchange_strong(v, 1);") == 0);
  // The lane itself does it.
  CHECK(events("int v = place.load(); place.store(7); place.store(v); "
               "place.compare_exchange_strong(v, 9);",
               1) == 4);
  // It looks again before it exchanges.
  CHECK(events("int v = place.load(); place.store(7); place.store(v); place.load(); "
               "place.compare_exchange_strong(v, 9);",
               1) == 0);
}

TEST_CASE("the same where memory is weak, in coherence order") {
  const auto weak_events = [](const std::string& body, std::uint32_t lanes = 2) {
    return events(body, lanes, simt::memory_model::ptx);
  };
  CHECK(weak_events("int v = place.load(); place.compare_exchange_strong(v, v + 1); "
                    "place.fetch_sub(1);") == 4);
  CHECK(weak_events("int v = place.load(); place.compare_exchange_strong(v, v + 1);") == 0);
  CHECK(weak_events("int v = 5; place.compare_exchange_strong(v, 1);") == 0);
  CHECK(weak_events("int v = place.load(); place.store(7); place.store(v); "
                    "place.compare_exchange_strong(v, 9);",
                    1) == 4);
  CHECK(weak_events("int v = place.load(); place.store(7); place.store(v); place.load(); "
                    "place.compare_exchange_strong(v, 9);",
                    1) == 0);
  // Who stores the same value again changes nothing.
  CHECK(weak_events("int v = place.load(); place.store(v); place.store(v); "
                    "place.compare_exchange_strong(v, 9);",
                    1) == 0);
  // A look at what is old: the changes are behind it, though they have happened before.
  const auto told = [](const std::string& store, const std::string& load) {
    return "if (simt::thread_rank() == 0) {\n"
           "  place.store(1, simt::memory_order_relaxed);\n"
           "  place.store(0, simt::memory_order_relaxed);\n"
           "  turn.store(1, " +
           store + ");\n} else if (turn.load(" + load +
           ") == 1) {\n"
           "  int v = place.load(simt::memory_order_relaxed);\n"
           "  if (v == 0) place.compare_exchange_strong(v, 9, simt::memory_order_relaxed);\n}";
  };
  CHECK(weak_events(told("simt::memory_order_relaxed", "simt::memory_order_relaxed")) == 4);
  CHECK(weak_events(told("simt::memory_order_release", "simt::memory_order_acquire")) == 0);
  CHECK(events(told("simt::memory_order_relaxed", "simt::memory_order_relaxed")) == 0);
}

TEST_CASE("what was not looked at is said") {
  source_run run(kernel("simt::atomic<int> place{0};",
                        "int v = place.load(); place.compare_exchange_strong(v, v + 1);"),
                 {1, {3}});
  warpcheck::session ready(run.what, run.how);
  warpcheck::limits bounds;
  bounds.max_states = 3;
  const auto result = warpcheck::search_aba(ready, bounds);
  CHECK(!result.found);
  CHECK(!result.complete);
  CHECK(result.stopped == "the limit of 3 states is reached");
}
