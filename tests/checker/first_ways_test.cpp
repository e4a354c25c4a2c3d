// Violations that are seen long before time is over are shown, though no short way to them is
// found.
#include <doctest/doctest.h>

#include "tests/checker/objection.hpp"
#include "tests/checker/run_source.hpp"

using test::kernel;
using test::source_run;

namespace {

/// Each lane reads the cell of another one, with no barrier in front: half the states show the
/// race, and there are 2^lanes of them.
const std::string reverses =
    "auto& s = simt::block_shared<int[64]>();"
    "const unsigned t = simt::thread_rank(), n = simt::block_size();"
    "s[t] = 1 + int(t); out[t] = s[n - 1 - t];";

}  // namespace

TEST_CASE("a race of many lanes is shown though time is over") {
  for (const std::uint32_t lanes : {16U, 32U}) {
    CAPTURE(lanes);
    source_run run(kernel("int out[64]{};", reverses), {1, {lanes}});
    run.bounds.time = 2;
    warpcheck::session ready(run.what, run.how);
    run.bounds.start = std::chrono::steady_clock::now();
    const warpcheck::run_result result = warpcheck::check(ready, run.bounds, {});
    CHECK(result.gravest == warpcheck::verdict::race);
    for (const warpcheck::violation& v : result.violations) CHECK(test::objection(ready, v) == "");
  }
}
