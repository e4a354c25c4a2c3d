// What other lanes may still touch: by counts, and by a look at each lane.
#include <algorithm>
#include <optional>
#include <random>

#include <doctest/doctest.h>

#include "sim/machine/reduce/others_reach.hpp"

using simt::continuation;
using simt::footprints;
using horizon = simt::footprints::horizon;

namespace {

constexpr std::uint32_t cells = 70;  // more than a word has bits
constexpr continuation known = 12;   // continuations
// Of further continuations the first one stands at this access, and the second one at none.
constexpr simt::others_reach::access of_the_first{20, 12, footprints::use::written};

std::optional<simt::others_reach::access> access_of(continuation c) {
  return c == known ? std::optional(of_the_first) : std::nullopt;
}

/// Any: each continuation touches some cells, more of them the further the horizon is.
footprints::knowledge any_footprints(std::mt19937& random) {
  footprints::knowledge all;
  for (std::uint32_t i = 0; i < cells; ++i) all.cells.push_back({4 * i, 4 * i + 4});
  all.continuations = known;
  constexpr std::size_t words = 2;
  all.races.assign(words, 0);
  all.flags.assign(known, 0);
  all.sets.assign(known * 9 * words, 0);
  for (continuation c = 0; c < known; ++c) {
    for (std::size_t how = 0; how < 3; ++how) {
      std::uint64_t set[words]{};
      for (std::size_t until = 0; until < 3; ++until) {
        for (int more = 0; more < 4; ++more) {
          const auto cell = static_cast<std::uint32_t>(random() % cells);
          set[cell / 64] |= std::uint64_t{1} << (cell % 64);
        }
        for (std::size_t w = 0; w < words; ++w)
          all.sets[(c * 9 + until * 3 + how) * words + w] = set[w];
      }
    }
  }
  return all;
}

struct by_looking {
  const simt::grid_places& places;
  const footprints& reaches;
  const std::vector<continuation>& at;

  [[nodiscard]] bool meets(continuation c, footprints::cell_range range, footprints::use_set how,
                           horizon until) const {
    if (c == simt::exited) return false;
    if (c == known) {
      const footprints::cell_range own = reaches.cells_of(of_the_first.offset, of_the_first.size);
      return footprints::has(how, of_the_first.how) && range.first < range.last &&
             range.first < own.last && own.first < range.last;
    }
    return std::ranges::any_of(footprints::uses, [&](footprints::use one) {
      return footprints::has(how, one) && reaches.may(c, one, range, until);
    });
  }
  [[nodiscard]] bool in_warp(std::uint32_t lane, footprints::cell_range range,
                             footprints::use_set how, horizon until) const {
    for (std::uint32_t other = 0; other < at.size(); ++other) {
      const bool is_mate = other != lane && places.lanes[other].warp == places.lanes[lane].warp;
      if (is_mate && meets(at[other], range, how, until)) return true;
    }
    return false;
  }
  [[nodiscard]] bool beyond_warp(std::uint32_t lane, footprints::cell_range range,
                                 footprints::use_set how, horizon until) const {
    for (std::uint32_t other = 0; other < at.size(); ++other) {
      if (places.lanes[other].warp == places.lanes[lane].warp) continue;
      const bool same_block = places.lanes[other].block == places.lanes[lane].block;
      if (meets(at[other], range, how, same_block ? until : horizon::end)) return true;
    }
    return false;
  }
};

}  // namespace

TEST_CASE("counts say what a look at each lane says") {
  std::mt19937 random(28);
  const simt::grid_places places({.blocks = 2, .lanes = {3, 2}});
  footprints reaches;
  simt::others_reach others(places, reaches, access_of);
  std::vector<continuation> at(places.lanes.size(), simt::exited);
  const by_looking looks{places, reaches, at};
  std::uint64_t met = 0, asked = 0;
  for (int round = 0; round < 20; ++round) {
    REQUIRE(reaches.adopt(any_footprints(random)));
    for (int step = 0; step < 50; ++step) {
      for (int moves = static_cast<int>(random() % 3); moves >= 0; --moves)
        at[random() % at.size()] = static_cast<continuation>(random() % (known + 2));
      others.look_at(at);
      for (std::uint32_t lane = 0; lane < at.size(); ++lane) {
        if (at[lane] == simt::exited) continue;  // who has ended asks nothing
        const auto first = static_cast<std::uint32_t>(random() % cells);
        const footprints::cell_range range{
            first, first + static_cast<std::uint32_t>(random() % (cells - first + 1))};
        for (const footprints::use own : footprints::uses) {
          const footprints::use_set how = footprints::conflicting(own);
          for (const horizon until : {horizon::warp, horizon::end}) {
            CHECK(others.in_warp(lane, range, how, until) ==
                  looks.in_warp(lane, range, how, until));
          }
          for (const horizon until : {horizon::block, horizon::end}) {
            const bool meets = looks.beyond_warp(lane, range, how, until);
            CHECK(others.beyond_warp(lane, range, how, until) == meets);
            ++asked;
            met += meets ? 1 : 0;
          }
        }
      }
    }
  }
  CHECK(met > asked / 10);  // neither always, nor never
  CHECK(met < asked - asked / 20);
}
