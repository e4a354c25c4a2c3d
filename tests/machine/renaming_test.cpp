// Lanes that use their numbers as data change names.
#include <doctest/doctest.h>

#include "tests/machine/reduced.hpp"

namespace {

constexpr warpcheck::reductions names{true, true, false, false};

const char* const queue = "simt::atomic<int> tail{0}; simt::atomic<int> next[4]{};";
/// As in the lock of Mellor-Crummey and Scott: who comes leaves its number, and tells who was
/// there.
const std::string enqueue =
    "const int me = int(thread_rank()) + 1; const int before = tail.exchange(me);\n"
    "if (before != 0) next[before].store(me);";

}  // namespace

TEST_CASE("a state whose data names lanes, and its renamed twin, have one canonical form") {
  test::reduced run(queue, enqueue, {1, {2}}, names);
  REQUIRE(run.machine().renames());
  const auto first = run.after({0}), second = run.after({1});
  REQUIRE(!first.empty());
  REQUIRE(!second.empty());
  CHECK(first != second);
  CHECK(run.canonical(first) == run.canonical(second));
  // The other lane has found the number of the first, and has written to the node of that.
  CHECK(run.canonical(run.after({0, 1})) == run.canonical(run.after({1, 0})));
  CHECK(run.canonical(run.after({0, 1, 1})) == run.canonical(run.after({1, 0, 0})));
  for (const auto& state : {first, second, run.after({0, 1, 1})}) {
    CHECK(run.canonical(run.canonical(state)) == run.canonical(state));
  }
  CHECK(run.canonical(run.after({0, 1})) != run.canonical(run.after({0, 1, 1})));
}

TEST_CASE("three lanes: all orders in which they come are one") {
  test::reduced run(queue, enqueue, {1, {3}}, names);
  REQUIRE(run.machine().renames());
  const auto kept = run.canonical(run.after({0, 1, 2}));
  CHECK(run.canonical(run.after({0, 2, 1})) == kept);
  CHECK(run.canonical(run.after({1, 0, 2})) == kept);
  CHECK(run.canonical(run.after({1, 2, 0})) == kept);
  CHECK(run.canonical(run.after({2, 0, 1})) == kept);
  CHECK(run.canonical(run.after({2, 1, 0})) == kept);
  // Who has told that it is there matters.
  const auto second_has = run.canonical(run.after({0, 1, 2, 1}));
  CHECK(run.canonical(run.after({2, 0, 1, 0})) == second_has);
  CHECK(run.canonical(run.after({0, 1, 2, 2})) != second_has);
}

TEST_CASE("who is there now: a renamed state says which lane stands where") {
  test::reduced run(queue, enqueue, {1, {2}}, names);
  for (const std::vector<std::uint32_t>& who : {std::vector<std::uint32_t>{0}, {1}}) {
    auto state = run.after(who);
    const auto before = state;
    std::vector<std::uint32_t> moved;
    run.machine().change_places(state, &moved);
    REQUIRE(moved.size() == 2);
    // Whoever has stepped waits at a store now, or is through; the other one at its exchange.
    for (std::uint32_t place = 0; place < 2; ++place) {
      CHECK(run.machine().waits_at(state, place).kind ==
            run.machine().waits_at(before, moved[place]).kind);
      CHECK(run.machine().waits_at(state, place).memory ==
            run.machine().waits_at(before, moved[place]).memory);
    }
  }
}

TEST_CASE("no names where arithmetic is done on them") {
  // 1 + 1 and 2 + 2 would have to be names of each other, and so would 1 and 2.
  test::reduced run("simt::atomic<int> x{0}; simt::atomic<int> y{0};",
                    "x.store(int(thread_rank()) + 1); y.fetch_add(x.load());", {1, {2}}, names);
  CHECK_FALSE(run.machine().renames());
  CHECK(run.canonical(run.after({0})) != run.canonical(run.after({1})));
}

TEST_CASE("no names where one of them is treated as no other is") {
  test::reduced run(queue, enqueue + "\nif (tail.load() == 1) tail.store(0);", {1, {2}}, names);
  CHECK_FALSE(run.machine().renames());
  CHECK(run.canonical(run.after({0})) != run.canonical(run.after({1})));
}

TEST_CASE("blocks change names as wholes") {
  // Lanes are named in a vote, so they stay in their places.
  const std::string of_blocks =
      "const int me = int(block_index()) + 1; ballot(3, 1);\n"
      "if (lane_index() == 0) {\n  const int before = tail.exchange(me);\n"
      "  if (before != 0) { next[before].store(me); }\n} else {\n  next[0].fetch_add(1);\n}";
  test::reduced run(queue, of_blocks, {2, {2}}, names);
  REQUIRE(run.machine().renames());
  // Votes come first: then lane 0 of a block, or lane 1, goes on.
  const auto voted = run.all_together(run.machine().initial());
  const auto after = [&](const std::vector<std::uint32_t>& who) {
    return run.canonical(run.after(who, voted));
  };
  CHECK(run.after({0}, voted) != run.after({2}, voted));
  CHECK(after({0}) == after({2}));
  CHECK(after({0, 2}) == after({2, 0}));
  CHECK(after({0, 1}) == after({2, 3}));
  CHECK(after({0, 3}) == after({2, 1}));
  CHECK(after({0, 1}) != after({0, 3}));
}

TEST_CASE("looking for names holds the time limit") {
  // Each round is a branch that has to be followed.
  const std::string branches =
      "for (int i = 0; i < 5000; ++i) { if (i % 3 == 1) ++i; }\n" + enqueue;
  test::reduced run(queue, branches, {1, {2}}, names, simt::reconvergence::stack);
  REQUIRE(run.machine().renames());
  int looks = 0;
  run.lanes.give_up_where([&] { return ++looks > 1; });
  CHECK_THROWS_AS(run.all.renames.renew(run.machine()), simt::lane_automaton::given_up);
  CHECK(looks == 2);
}
