// Which read-modify-writes are updates: of a kind of which two commute, with a result of no use.
#include <doctest/doctest.h>

#include "sim/machine/reduce/access_uses.hpp"
#include "sim/machine/reduce/footprint.hpp"
#include "tests/machine/lanes_of.hpp"

using simt::continuation;
using simt::footprints;

namespace {

struct described {
  explicit described(const std::string& body)
      : of("simt::atomic<int> x{0}; simt::atomic<int> y{0};", body),
        lanes(of.run.machine().program()) {
    of.run.machine().initial();
    test::lanes_of::explore(lanes, {0, 1});
    simt::describe_operations(of.run.machine(), operations, true);
  }
  /// Whether the `number`-th operation of a lane, which gets zeros, is an update.
  bool is_update(int number) {
    continuation c = lanes.start();
    for (int i = 0; i < number; ++i) c = lanes.next(c, 0);
    return operations.at(c).updates;
  }

  test::lanes_of of;
  simt::lane_automaton& lanes;
  std::vector<footprints::own> operations;
};

}  // namespace

TEST_CASE("an addition whose result is dropped is an update") {
  described one("x.fetch_add(1); y.fetch_or(2); x.load();");
  CHECK(one.is_update(0));
  CHECK(one.is_update(1));
  CHECK_FALSE(one.is_update(2));
}

TEST_CASE("an addition whose result is looked at is none") {
  described one("if (x.fetch_add(1) == 1) { y.store(1); }");
  CHECK_FALSE(one.is_update(0));
}

TEST_CASE("a result that is looked at for a value that nobody has got yet counts as used") {
  // One lane adds three times, so the third one gets 2: told are 0 and 1 alone.
  described one("x.fetch_add(1); x.fetch_add(1); if (x.fetch_add(1) == 2) { y.store(1); }");
  CHECK_FALSE(one.is_update(0));
}

TEST_CASE("an addition that may come again is none, and neither are two kinds at one place") {
  described loop("while (y.load() == 0) { x.fetch_add(1); }");
  CHECK_FALSE(loop.is_update(1));
  described kinds("x.fetch_add(1); x.fetch_or(1);");
  CHECK_FALSE(kinds.is_update(0));
  described exchanged("x.fetch_add(1); x.exchange(1);");
  CHECK(exchanged.is_update(0));
}
