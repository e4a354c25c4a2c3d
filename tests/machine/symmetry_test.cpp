// States in which lanes, warps or blocks have changed places: one of them is kept.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "sim/machine/reduce/symmetry.hpp"

using simt::grid_places;
using simt::grid_shape;
using simt::symmetry;

namespace {

using words = std::vector<std::uint32_t>;
using permutation = std::vector<std::uint32_t>;  // of lanes: who comes to each place

grid_shape shape_of(std::uint32_t blocks, std::vector<std::uint32_t> lanes) {
  grid_shape shape;
  shape.blocks = blocks;
  shape.lanes = std::move(lanes);
  return shape;
}

words canonical(symmetry& moves, words state) {
  moves.canonicalize(state);
  return state;
}

/// Lanes, and behind them two words that are nobody's.
words state_of(const words& lanes) {
  words state = lanes;
  state.push_back(77);
  state.push_back(5);
  return state;
}

words moved_by(const permutation& p, const words& state) {
  words result = state;
  for (std::size_t i = 0; i < p.size(); ++i) result[i] = state[p[i]];
  return result;
}

std::vector<permutation> all_permutations(std::size_t lanes,
                                          const std::function<bool(const permutation&)>& allowed) {
  permutation p(lanes);
  std::iota(p.begin(), p.end(), 0U);
  std::vector<permutation> all;
  do {
    if (allowed(p)) all.push_back(p);
  } while (std::next_permutation(p.begin(), p.end()));
  return all;
}

bool keeps_units(const grid_places& places, const permutation& p) {
  for (std::uint32_t a = 0; a < p.size(); ++a) {
    for (std::uint32_t b = 0; b < p.size(); ++b) {
      const auto &at = places.lanes[a], &bt = places.lanes[b];
      const auto &af = places.lanes[p[a]], &bf = places.lanes[p[b]];
      if ((at.warp == bt.warp) != (af.warp == bf.warp)) return false;
      if ((at.block == bt.block) != (af.block == bf.block)) return false;
    }
  }
  return true;
}

/// Of random states: who can be moved to each other by one of `group`, and nobody else, has the
/// same canonical form; and that is its own.
void check_orbits(symmetry& moves, std::size_t lanes, const std::vector<permutation>& group) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    words some(lanes);
    for (std::uint32_t& w : some) w = static_cast<std::uint32_t>(random() % 3);
    const words state = state_of(some);
    const words kept = canonical(moves, state);
    CHECK(canonical(moves, kept) == kept);
    CHECK(kept[lanes] == 77);
    CHECK(kept[lanes + 1] == 5);
    std::set<words> orbit;
    for (const permutation& p : group) orbit.insert(moved_by(p, state));
    CHECK(orbit.contains(kept));
    bool all_same = true;
    for (const words& other : orbit) all_same = all_same && canonical(moves, other) == kept;
    CHECK(all_same);
    // Who is where: the lanes that `moved` names make the canonical form of the state.
    words again = state;
    permutation moved;
    moves.canonicalize(again, &moved);
    CHECK(moved_by(moved, state) == kept);
    CHECK(std::ranges::find(group, moved) != group.end());
  }
}

}  // namespace

TEST_CASE("lanes of the whole grid change places where nothing concerns warps or blocks") {
  const grid_places places(shape_of(2, {2, 1}));
  symmetry moves(places, true, nullptr);
  const auto group = all_permutations(6, [](const permutation&) { return true; });
  REQUIRE(group.size() == 720);
  check_orbits(moves, 6, group);
}

TEST_CASE("lanes that are kept in their warps: warps and blocks move as wholes") {
  const grid_places places(shape_of(2, {2, 2}));
  symmetry moves(places, true, nullptr);
  CHECK(moves.keep_warps());
  CHECK_FALSE(moves.keep_warps());
  const auto group =
      all_permutations(8, [&](const permutation& p) { return keeps_units(places, p); });
  REQUIRE(group.size() == 128);
  check_orbits(moves, 8, group);
  // Two states with the same lanes in other warps.
  CHECK(canonical(moves, state_of({1, 1, 2, 2, 0, 0, 0, 0})) !=
        canonical(moves, state_of({1, 2, 1, 2, 0, 0, 0, 0})));
  // In other blocks.
  CHECK(canonical(moves, state_of({1, 1, 0, 0, 1, 1, 0, 0})) !=
        canonical(moves, state_of({1, 1, 1, 1, 0, 0, 0, 0})));
}

TEST_CASE("lanes that are named stay where they are in their warp") {
  const grid_places places(shape_of(2, {2, 2}));
  symmetry moves(places, true, nullptr);
  CHECK(moves.fix_lanes());
  CHECK_FALSE(moves.fix_lanes());
  CHECK(moves.keeps_warps());
  const auto group = all_permutations(8, [&](const permutation& p) {
    if (!keeps_units(places, p)) return false;
    for (std::uint32_t i = 0; i < 8; ++i) {
      if (places.lanes[p[i]].index != places.lanes[i].index) return false;
    }
    return true;
  });
  REQUIRE(group.size() == 8);
  check_orbits(moves, 8, group);
  CHECK(canonical(moves, state_of({1, 2, 0, 0, 0, 0, 0, 0})) !=
        canonical(moves, state_of({2, 1, 0, 0, 0, 0, 0, 0})));
}

TEST_CASE("blocks that are told apart stay where they are") {
  const grid_places places(shape_of(2, {2, 2}));
  symmetry moves(places, true, nullptr);
  CHECK(moves.fix_blocks());
  CHECK_FALSE(moves.fix_blocks());
  const auto group = all_permutations(8, [&](const permutation& p) {
    return keeps_units(places, p) && places.lanes[p[0]].block == 0;
  });
  REQUIRE(group.size() == 64);
  check_orbits(moves, 8, group);
}

TEST_CASE("lanes that were told apart do not change places") {
  const grid_places places(shape_of(1, {4}));
  symmetry moves(places, true, nullptr);
  CHECK(moves.tell_apart(words{0, 1, 0, 1}));
  CHECK_FALSE(moves.tell_apart(words{8, 3, 8, 3}));
  CHECK_FALSE(moves.tell_apart(words{0, 0, 0, 0}));
  auto group = all_permutations(4, [](const permutation& p) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (p[i] % 2 != i % 2) return false;
    }
    return true;
  });
  REQUIRE(group.size() == 4);
  check_orbits(moves, 4, group);
  // More is told of some.
  CHECK(moves.tell_apart(words{0, 0, 1, 0}));
  CHECK(canonical(moves, state_of({2, 0, 1, 0})) == state_of({2, 0, 1, 0}));
  CHECK(canonical(moves, state_of({1, 9, 2, 3})) == state_of({1, 3, 2, 9}));
}

TEST_CASE("warps whose lanes have other roles, or that have other numbers of lanes, stay apart") {
  const grid_places places(shape_of(1, {2, 2, 1}));
  symmetry moves(places, true, nullptr);
  moves.keep_warps();
  CHECK(canonical(moves, state_of({3, 3, 1, 1, 0})) == state_of({1, 1, 3, 3, 0}));
  moves.tell_apart(words{0, 0, 0, 1, 0});
  CHECK(canonical(moves, state_of({3, 2, 1, 0, 0})) == state_of({2, 3, 1, 0, 0}));
}

TEST_CASE("without symmetry nothing moves and nothing is learnt") {
  const grid_places places(shape_of(2, {2}));
  symmetry moves(places, false, nullptr);
  CHECK_FALSE(moves.keep_warps());
  CHECK_FALSE(moves.fix_lanes());
  CHECK_FALSE(moves.tell_apart(words{0, 1, 2, 3}));
  CHECK(canonical(moves, state_of({4, 3, 2, 1})) == state_of({4, 3, 2, 1}));
  words first;
  moves.orbits(state_of({1, 1, 1, 1}), first);
  CHECK(first == words{0, 1, 2, 3});
  CHECK_FALSE(moves.repeats(state_of({1, 1, 1, 1}), 1));
}

TEST_CASE("what another one has learnt is learnt") {
  const grid_places places(shape_of(2, {2}));
  symmetry one(places, true, nullptr), other(places, true, nullptr);
  CHECK_FALSE(one.learn_from(other));
  other.fix_lanes();
  other.fix_blocks();
  other.tell_apart(words{0, 0, 1, 1});
  CHECK(one.learn_from(other));
  CHECK(one.fixes_lanes());
  CHECK(one.fixes_blocks());
  CHECK(std::ranges::equal(one.roles(), other.roles()));
  CHECK_FALSE(one.learn_from(other));
}

TEST_CASE("lanes take their places in the warp's stack with them") {
  const grid_places places(shape_of(1, {3}));
  simt::warp_stacks stacks;
  symmetry moves(places, true, &stacks);
  const auto state = [&](words lanes, const simt::warp_stack& stack) {
    lanes.push_back(77);
    lanes.push_back(5);
    lanes.push_back(stacks.intern(stack));
    return lanes;
  };
  // One lane is active, one has arrived, one is pending.
  const auto with = [&](const permutation& who) {  // who: active, arrived, pending
    simt::warp_stack stack;
    stack.active = 1U << who[0];
    stack.frames = {{4, 1U << who[1], {1U << who[2]}}};
    words lanes(3);
    for (std::uint32_t i = 0; i < 3; ++i) lanes[who[i]] = 9 - i;
    return state(lanes, stack);
  };
  const words kept = canonical(moves, with({0, 1, 2}));
  CHECK(canonical(moves, kept) == kept);
  const auto group = all_permutations(3, [](const permutation&) { return true; });
  for (const permutation& p : group) CHECK(canonical(moves, with(p)) == kept);
  // The same lanes, but others are active.
  simt::warp_stack other;
  other.active = 0b010;
  other.frames = {{4, 0b001, {0b100}}};
  CHECK(canonical(moves, state({9, 8, 7}, other)) != kept);
  // Sides that wait are in rising order again.
  simt::warp_stack sides;
  sides.frames = {{4, 0, {0b001, 0b110}}};
  words of_sides = canonical(moves, state({9, 3, 8}, sides));
  const simt::warp_stack& sorted = stacks[of_sides.back()];
  CHECK(std::ranges::is_sorted(sorted.frames[0].pending));
  CHECK(of_sides[0] == 3);
  CHECK(sorted.frames[0].pending == words{0b011, 0b100});
}

TEST_CASE("warps take their stacks with them") {
  const grid_places places(shape_of(2, {1}));
  simt::warp_stacks stacks;
  symmetry moves(places, true, &stacks);
  simt::warp_stack active, waits;
  active.active = 1;
  waits.frames = {{4, 0, {1}}};
  const std::uint32_t a = stacks.intern(active), w = stacks.intern(waits);
  CHECK(canonical(moves, {6, 3, 77, 5, a, w}) == words{3, 6, 77, 5, w, a});
  CHECK(canonical(moves, {3, 6, 77, 5, w, a}) == words{3, 6, 77, 5, w, a});
  // Equal lanes, other stacks.
  CHECK(canonical(moves, {3, 3, 77, 5, w, a}) == canonical(moves, {3, 3, 77, 5, a, w}));
  CHECK(canonical(moves, {3, 3, 77, 5, a, a}) != canonical(moves, {3, 3, 77, 5, a, w}));
  CHECK(moves.repeats_warp(words{3, 3, 77, 5, a, a}, 1));
  CHECK_FALSE(moves.repeats_warp(words{3, 3, 77, 5, a, w}, 1));
  CHECK_FALSE(moves.repeats_warp(words{3, 3, 77, 5, a, a}, 0));
}

TEST_CASE("who looks the same as one before") {
  const grid_places places(shape_of(2, {2}));
  symmetry moves(places, true, nullptr);
  words first;
  moves.orbits(state_of({1, 2, 2, 2}), first);
  CHECK(first == words{0, 1, 1, 1});
  CHECK_FALSE(moves.repeats(state_of({1, 2, 2, 2}), 1));
  CHECK(moves.repeats(state_of({1, 2, 2, 2}), 2));
  moves.keep_warps();
  moves.orbits(state_of({1, 2, 2, 2}), first);
  CHECK(first == words{0, 1, 2, 2});
  moves.orbits(state_of({1, 2, 1, 2}), first);
  CHECK(first == words{0, 1, 0, 1});
  moves.fix_blocks();
  moves.orbits(state_of({1, 2, 1, 2}), first);
  CHECK(first == words{0, 1, 2, 3});
}

TEST_CASE("the units that may move") {
  const grid_places places(shape_of(2, {2, 2}));
  symmetry moves(places, true, nullptr);
  std::vector<words> units, lists;
  moves.list_units(units, lists);
  CHECK(units.size() == 8);
  CHECK(lists == std::vector<words>{{0, 1, 2, 3, 4, 5, 6, 7}});
  moves.keep_warps();
  moves.list_units(units, lists);
  CHECK(units.size() == 8);
  CHECK(lists == std::vector<words>{{0, 1}, {2, 3}, {4, 5}, {6, 7}});
  moves.fix_lanes();
  moves.list_units(units, lists);
  CHECK(units == std::vector<words>{{0, 1}, {2, 3}, {4, 5}, {6, 7}});
  CHECK(lists == std::vector<words>{{0, 1}, {2, 3}});
}
