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
std::size_t events(const std::string& body, std::uint32_t lanes = 2) {
  source_run run(kernel("simt::atomic<int> place{0}; simt::atomic<int> turn{0};", body),
                 {1, {lanes}});
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
