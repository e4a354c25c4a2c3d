// Symmetry of lanes, warps and blocks: which of them may change places.
//
// A program may ask about its own place (index, address of block-shared memory). Two lanes have one
// **role** if no such answer has led them to continuations that behave differently. If lanes of one
// role change places, the state behaves as before: docs/reductions.md, "Symmetry". Of all such
// states one is kept, in which lanes are sorted.
//
// How far lanes may move depends on what the program uses: whole grid   - nothing that concerns a
// warp or a block as such; within units - lanes within their warp, warps within their block, blocks
// within the grid; fixed lanes  - masks, votes by lane and shuffles name lanes: only warps and
// blocks may move. All of this is learnt while exploring. If lanes turn out to differ, all explored
// states are void (news.hpp).
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

  // Learning functions: facts hold for good. They return true if the fact is new.

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
  // What has been learnt so far. Lanes with different roles do not change places.
  [[nodiscard]] bool keeps_warps() const { return keep_warps_; }
  [[nodiscard]] bool fixes_lanes() const { return fix_lanes_; }
  [[nodiscard]] bool fixes_blocks() const { return fix_blocks_; }
  [[nodiscard]] std::span<const std::uint32_t> roles() const { return role_; }
  /// The smallest units that may change places (lanes, warps or blocks), each as a list of its
  /// lanes; and which units may change places with each other if their roles are equal.
  void list_units(std::vector<std::vector<std::uint32_t>>& units,
                  std::vector<std::vector<std::uint32_t>>& lists) const;
  /// Takes over the restrictions of `other`.
  bool learn_from(const symmetry& other);

  // States, in words as the machine has them.

  /// Replaces a state by the representative of all states that are symmetric to it. `moved`, if
  /// given, says for each place which lane is there now.
  void canonicalize(std::span<std::uint32_t> words, std::vector<std::uint32_t>* moved = nullptr);

  /// Whether an earlier lane, in the warp or in the whole grid, is in the same situation and may
  /// change places with `lane`.
  [[nodiscard]] bool repeats(std::span<const std::uint32_t> words, std::uint32_t lane) const {
    const std::uint32_t before = before_[lane];
    return before != none && words[before] == words[lane];
  }
  /// Like repeats(), for a whole warp, or its block.
  [[nodiscard]] bool repeats_warp(std::span<const std::uint32_t> words, std::uint32_t warp) const;

  /// For each lane (or warp, if there are stacks) the first lane (or warp) that may change places
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
  std::vector<std::uint32_t> role_;    // of lanes
  std::vector<std::uint32_t> before_;  // of lanes: the next lower one of the same role, and unit
  std::vector<std::uint32_t> before_warp_;  // of warps: likewise, with equal roles, in the block
  std::vector<std::uint32_t> before_block_;
  std::vector<std::vector<std::uint32_t>> alike_lanes_;  // at least two each
  std::vector<std::vector<std::uint32_t>> alike_warps_;
  std::vector<std::vector<std::uint32_t>> alike_blocks_;
  std::vector<std::uint32_t> first_of_warp_;           // in alike_lanes_; one more at the end
  std::vector<std::vector<std::uint16_t>> positions_;  // of the lanes of a stack, by its number

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
