// Symmetry of lanes, warps and blocks: finds which of them may trade places.
//
// A program may ask about its own place: its index, or an address of block-shared memory. Two lanes
// have one **role** if no such answer has led them to continuations that behave differently. If
// lanes of one role trade places, the state behaves as before: docs/reductions.md, "Symmetry". Of
// all such states one is explored: the one with sorted lanes.
//
// The program's operations limit how far lanes may move:
// - Whole grid: no operation concerns a warp or a block as such.
// - Within units: lanes within their warp, warps within their block, blocks within the grid.
// - Fixed lanes: masks, votes by lane and shuffles name lanes, so only warps and blocks move.
//
// All of this is learnt while exploring. If lanes turn out to differ, all explored states are void
// (news.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/machine/places.hpp"
#include "sim/machine/warp_stack.hpp"

namespace simt {

class symmetry {
 public:
  /// `on` is false: no lane may move. `stacks` holds the numbers of the warps' stack words; null:
  /// states have none.
  symmetry(const grid_places& places, bool on, warp_stacks* stacks);

  [[nodiscard]] bool on() const { return on_; }

  // Learning functions: facts hold for good. Each returns true if the fact is new.

  /// Warps matter: lanes stay in their warps.
  bool keep_warps();
  /// The program names lanes within their warp: lanes keep their places.
  bool fix_lanes();
  /// The program tells blocks apart.
  bool fix_blocks();
  /// The state names lanes: nothing moves.
  bool fix_all();
  /// Lanes with different `kinds` behave differently.
  bool tell_apart(std::span<const std::uint32_t> kinds);
  // What has been learnt so far. Lanes with different roles do not trade places.
  [[nodiscard]] bool keeps_warps() const { return keep_warps_; }
  [[nodiscard]] bool fixes_lanes() const { return fix_lanes_; }
  [[nodiscard]] bool fixes_blocks() const { return fix_blocks_; }
  [[nodiscard]] std::span<const std::uint32_t> roles() const { return role_; }
  /// Lists the smallest units that may trade places (lanes, warps or blocks), each as its lanes.
  /// `lists`: the units that may trade places with each other if their roles are equal.
  void list_units(std::vector<std::vector<std::uint32_t>>& units,
                  std::vector<std::vector<std::uint32_t>>& lists) const;
  /// Takes over the restrictions of `other`.
  bool learn_from(const symmetry& other);

  // States, in words as the machine has them.

  /// Replaces a state by the representative of all states that are symmetric to it. Fills `moved`,
  /// if given: the lane that is now at each place.
  void canonicalize(std::span<std::uint32_t> words, std::vector<std::uint32_t>* moved = nullptr);

  /// Whether an earlier lane of the warp, or of the whole grid, has the same continuation and may
  /// trade places with `lane`.
  [[nodiscard]] bool repeats(std::span<const std::uint32_t> words, std::uint32_t lane) const {
    const std::uint32_t before = before_[lane];
    return before != none && words[before] == words[lane];
  }
  /// Whether an earlier warp has an equal state and may trade places with `warp`, alone or with its
  /// block.
  [[nodiscard]] bool repeats_warp(std::span<const std::uint32_t> words, std::uint32_t warp) const;

  /// For each lane (or warp, if there are stacks), the first lane (or warp) that may trade places
  /// with it in this state.
  void orbits(std::span<const std::uint32_t> words, std::vector<std::uint32_t>& first) const;

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  const grid_places& places_;
  bool on_;
  warp_stacks* stacks_;
  bool keep_warps_ = false;
  bool fix_lanes_ = false;
  bool fix_blocks_ = false;
  std::vector<std::uint32_t> role_;    // by lane
  std::vector<std::uint32_t> before_;  // by lane: the next lower lane with its role, in its unit
  std::vector<std::uint32_t> before_warp_;  // by warp: the next lower one with its roles
  std::vector<std::uint32_t> before_block_;
  std::vector<std::vector<std::uint32_t>> alike_lanes_;  // lists of at least two
  std::vector<std::vector<std::uint32_t>> alike_warps_;
  std::vector<std::vector<std::uint32_t>> alike_blocks_;
  std::vector<std::uint32_t> first_of_warp_;           // by warp, in alike_lanes_; one more
  std::vector<std::vector<std::uint16_t>> positions_;  // by stack: positions of its lanes

  void arrange();
  void sort_lanes(std::span<std::uint32_t> words, std::span<const std::uint32_t> lanes,
                  std::vector<std::uint32_t>* moved) const;
  void sort_warp(std::span<std::uint32_t> words, std::uint32_t warp,
                 std::vector<std::uint32_t>* moved);
  [[nodiscard]] int compare_warps(std::span<const std::uint32_t> words, std::uint32_t a,
                                  std::uint32_t b) const;
  [[nodiscard]] int compare_blocks(std::span<const std::uint32_t> words, std::uint32_t a,
                                   std::uint32_t b) const;
  void swap_warps(std::span<std::uint32_t> words, std::uint32_t a, std::uint32_t b,
                  std::vector<std::uint32_t>* moved) const;
  void swap_blocks(std::span<std::uint32_t> words, std::uint32_t a, std::uint32_t b,
                   std::vector<std::uint32_t>* moved) const;
  const std::vector<std::uint16_t>& positions(std::uint32_t stack);
  [[nodiscard]] std::size_t stack_word(std::uint32_t warp) const {
    return places_.lanes.size() + 2 + warp;
  }
};

}  // namespace simt
