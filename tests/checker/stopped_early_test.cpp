// What a search that stops early says of deadlocks. Steps are left out by what is assumed of lanes,
// so that a state may only seem to have no way out.
#include <doctest/doctest.h>

#include <string>

#include "tests/checker/run_source.hpp"

using test::kernel;
using test::source_run;

namespace {

/// Three lanes take a lock so often that none of them runs ahead to its end in one go. The last
/// round of each is `last`.
source_run locked(const std::string& last) {
  source_run run(kernel("simt::atomic<int> held{0};\nint sum = 0;",
                        "for (int i = 0; i < 300; ++i) {\n"
                        "  while (held.exchange(1) != 0) {}\n"
                        "  ++sum;\n"
                        "  held.store(0);\n"
                        "}\n" +
                            last),
                 {1, {3}});
  run.bounds.first = true;
  return run;
}

warpcheck::reductions order_alone() {
  warpcheck::reductions reduce = warpcheck::reductions::none();
  reduce.order = true;
  return reduce;
}

}  // namespace

TEST_CASE("a limit makes no deadlock of a lock that is right") {
  for (const std::uint64_t most : {20, 100, 1000}) {
    CAPTURE(most);
    source_run run = locked("");
    run.bounds.max_states = most;
    CHECK(source_run::names(run.check(order_alone())) == "inconclusive");
  }
}

TEST_CASE("the first violation may be a deadlock") {
  source_run run = locked("while (held.exchange(1) != 0) {}");  // and never gives it back
  CHECK(source_run::names(run.check(order_alone())) == "deadlock");
}
