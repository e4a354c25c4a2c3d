// What lanes may still touch.
#include <doctest/doctest.h>

#include "sim/machine/reduce/access_uses.hpp"
#include "sim/machine/reduce/footprint.hpp"
#include "tests/machine/lanes_of.hpp"

using simt::continuation;
using simt::footprints;
using horizon = simt::footprints::horizon;

namespace {

// Each in a cell of its own.
const char* const cells =
    "alignas(8) simt::atomic<int> x{0}; alignas(8) simt::atomic<int> y{0};"
    "alignas(8) simt::atomic<int> z{0}; alignas(8) int data = 0;";
enum : std::uint32_t { x, y, z, data };

struct explored {
  /// `answers`: what lanes are told; nothing: they are asked nothing.
  explicit explored(const std::string& body, const std::vector<std::uint64_t>& answers = {0, 1})
      : of(cells, body), lanes(of.run.machine().program()) {
    for (const simt::allocation& a : of.run.memory().allocations()) {
      if (a.what == simt::allocation::kind::object) first = static_cast<std::uint32_t>(a.offset);
    }
    if (!answers.empty()) test::lanes_of::explore(lanes, answers);
    update();
  }
  bool update() {
    simt::describe_operations(of.run.machine(), operations);
    return reach.update(lanes, operations);
  }
  [[nodiscard]] footprints::cell_range cells_at(std::uint32_t which) const {
    return reach.cells_of(first + 8 * which, 4);
  }
  [[nodiscard]] bool writes(continuation c, std::uint32_t cell,
                            horizon until = horizon::end) const {
    return reach.writes(c, cells_at(cell), until);
  }
  [[nodiscard]] bool touches(continuation c, std::uint32_t cell,
                             horizon until = horizon::end) const {
    return reach.writes(c, cells_at(cell), until) || reach.reads(c, cells_at(cell), until);
  }
  continuation start() { return lanes.start(); }
  continuation after(continuation c, std::uint64_t answer = 0) { return lanes.next(c, answer); }

  test::lanes_of of;
  simt::lane_automaton& lanes;
  footprints reach;
  std::vector<footprints::own> operations;
  std::uint32_t first = 0;
};

}  // namespace

TEST_CASE("after its last access to x a lane has x no longer") {
  explored some("x.store(1); y.load(); x.load(); y.store(1);");
  const continuation stores_x = some.start();
  CHECK(some.writes(stores_x, x));
  CHECK(some.writes(stores_x, y));
  CHECK_FALSE(some.touches(stores_x, z));
  const continuation loads_y = some.after(stores_x);
  CHECK_FALSE(some.writes(loads_y, x));
  CHECK(some.touches(loads_y, x));
  const continuation stores_y = some.after(some.after(loads_y));
  CHECK_FALSE(some.touches(stores_y, x));
  CHECK(some.writes(stores_y, y));
  const continuation end = some.after(stores_y);
  CHECK(end == simt::exited);
  CHECK_FALSE(some.touches(end, y));
}

TEST_CASE("in a loop a lane comes back to what it has accessed") {
  explored some("while (y.load() == 0) { x.store(1); }\nz.store(1);");
  const continuation loads_y = some.start();
  const continuation stores_x = some.after(loads_y, 0);
  CHECK(some.writes(loads_y, x));
  CHECK(some.touches(stores_x, y));
  CHECK_FALSE(some.writes(stores_x, y));
  CHECK(some.writes(stores_x, x));
  CHECK(some.writes(stores_x, z));
  const continuation stores_z = some.after(loads_y, 1);
  CHECK_FALSE(some.touches(stores_z, x));
  CHECK_FALSE(some.touches(stores_z, y));
}

TEST_CASE("a lane comes again to what is in a loop") {
  explored some("y.store(1); while (x.load() == 0) {} z.store(1);");
  const continuation stores_y = some.start();
  CHECK_FALSE(some.reach.comes_again(stores_y));
  const continuation loads = some.after(stores_y);
  CHECK(some.reach.comes_again(loads));
  CHECK_FALSE(some.reach.comes_again(some.after(loads, 1)));
}

TEST_CASE("in lockstep, up to the operation behind this one") {
  explored some("x.store(1); y.store(1); z.store(1);");
  footprints reach(true);
  REQUIRE(reach.update(some.lanes, some.operations));
  const continuation c = some.start();
  CHECK(reach.writes(c, some.cells_at(x), horizon::warp));
  CHECK(reach.writes(c, some.cells_at(y), horizon::warp));
  CHECK_FALSE(reach.writes(c, some.cells_at(z), horizon::warp));
  CHECK(reach.writes(c, some.cells_at(z), horizon::block));
}

TEST_CASE("an answer that nobody has got leads to nothing yet, and is news when somebody gets it") {
  explored some("if (y.load() == 1) { x.store(1); }", {0});
  const continuation loads_y = some.start();
  CHECK_FALSE(some.touches(loads_y, x));
  CHECK_FALSE(some.update());
  const continuation stores_x = some.after(loads_y, 1);
  CHECK_FALSE(some.touches(stores_x, x));  // not looked at
  CHECK(some.update());
  CHECK(some.writes(stores_x, x));
  CHECK(some.writes(loads_y, x));
  CHECK_FALSE(some.update());
  // What is told anew is news again.
  some.reach.clear();
  CHECK_FALSE(some.writes(loads_y, x));
  CHECK(some.update());
}

TEST_CASE("up to a syncthreads") {
  explored some("x.store(1); syncthreads(); y.store(1);");
  const continuation stores_x = some.start();
  const continuation waits = some.after(stores_x);
  for (const horizon until : {horizon::warp, horizon::block}) {
    CHECK(some.writes(stores_x, x, until));
    CHECK_FALSE(some.touches(stores_x, y, until));
    CHECK_FALSE(some.touches(waits, y, until));
    CHECK(some.writes(some.after(waits), y, until));
  }
  CHECK(some.writes(stores_x, y, horizon::end));
  CHECK(some.writes(waits, y, horizon::end));
}

TEST_CASE("up to a collective of the warp") {
  explored some("x.store(1); syncwarp(); y.store(1);");
  const continuation stores_x = some.start();
  const continuation waits = some.after(stores_x);
  CHECK_FALSE(some.touches(stores_x, y, horizon::warp));
  CHECK_FALSE(some.touches(waits, y, horizon::warp));
  CHECK(some.writes(waits, y, horizon::block));
  CHECK(some.writes(stores_x, y, horizon::block));
  CHECK(some.writes(stores_x, y, horizon::end));
}

TEST_CASE("a collective that waits for nobody is no end") {
  explored some("x.store(1); activemask(); y.store(1);");
  CHECK(some.writes(some.start(), y, horizon::warp));
}

TEST_CASE("only what is known to be synchronized cannot be in a race") {
  explored some("if (x.load() == 1) { data = 1; }", {0});
  CHECK_FALSE(some.reach.may_race(some.cells_at(x)));
  CHECK_FALSE(some.reach.may_race(some.cells_at(data)));
  some.after(some.start(), 1);
  CHECK(some.update());
  CHECK(some.reach.may_race(some.cells_at(data)));
  CHECK_FALSE(some.reach.may_race(some.cells_at(x)));
  CHECK_FALSE(some.update());
}

TEST_CASE("what is known goes to another process, and has to fit there") {
  explored some("x.store(1); y.load();");
  some.reach.meet_divergence();
  footprints other;
  CHECK(other.adopt(some.reach.known()));
  CHECK(other.writes(some.start(), some.cells_at(x), horizon::end));
  CHECK_FALSE(other.writes(some.start(), some.cells_at(y), horizon::end));
  CHECK(other.has_met_divergence());
  auto wrong = some.reach.known();
  wrong.races.push_back(0);
  CHECK_FALSE(other.adopt(std::move(wrong)));
  wrong = some.reach.known();
  wrong.cells.resize(wrong.cells.size() + 64);
  CHECK_FALSE(other.adopt(std::move(wrong)));
}

TEST_CASE("what is learnt for good is news once") {
  footprints reach;
  CHECK(reach.meet_divergence());
  CHECK_FALSE(reach.meet_divergence());
  reach.clear();
  CHECK(reach.has_met_divergence());
}

TEST_CASE("neighbours in one word are two cells") {
  explored two("x.load();");  // the end, the load, and more
  REQUIRE(two.lanes.size() >= 2);
  const footprints::own left{.offset = 64, .size = 4, .accesses = true, .writes = true};
  const footprints::own right{.offset = 68, .size = 4, .accesses = true};
  footprints reach;
  reach.update(two.lanes, {left, right});
  CHECK(reach.cells_of(64, 8).last == reach.cells_of(64, 8).first + 2);
  CHECK(reach.writes(0, reach.cells_of(64, 4), horizon::end));
  CHECK_FALSE(reach.reads(0, reach.cells_of(68, 4), horizon::end));
  CHECK(reach.reads(1, reach.cells_of(68, 4), horizon::end));
  CHECK(reach.cells_of(72, 4).first == reach.cells_of(72, 4).last);
  // Who accesses both touches each.
  reach.update(two.lanes, {left, {.offset = 64, .size = 8, .accesses = true}});
  CHECK(reach.reads(1, reach.cells_of(64, 4), horizon::end));
  CHECK(reach.reads(1, reach.cells_of(68, 4), horizon::end));
}

TEST_CASE("cells that are cut are no news of what was known of the whole") {
  explored two("x.load();");
  REQUIRE(two.lanes.size() >= 2);
  const footprints::own both{.offset = 64, .size = 8, .accesses = true};
  const footprints::own left{.offset = 64, .size = 4, .accesses = true};
  footprints reach;
  CHECK(reach.update(two.lanes, {both, both}));
  CHECK_FALSE(reach.update(two.lanes, {both, left}));
  const footprints::own more{.offset = 64, .size = 12, .accesses = true};
  CHECK(reach.update(two.lanes, {both, more}));
}
