// One typed choice of an execution. A vector of choices is an execution: search makes it, replay
// follows it, shrinking shortens it, reports render it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/model/model.hpp"

namespace simt {

struct choice {
  enum class kind : std::uint8_t {
    // The lane `unit` carries out its operation. `mask`, where memory is weak: how many messages of
    // the location are newer than the one that the lane reads, or stores behind. At a choose: the
    // answer.
    lane,
    // The lanes `mask` of the warp `unit` carry out their operation together.
    group,
    // The lanes of block `unit` pass a syncthreads together, and `mask` is 0. Or `mask` blocks,
    // from `unit` on, pass the barrier of their cluster or of the grid.
    block,
    // All lanes have exited, and the host takes its step before launch number `unit`.
    launch,
    // The pending side `mask` of the top frame of warp `unit` becomes active.
    side,
    // The block `unit` becomes resident.
    dispatch,
    // The lane `unit` promises store number `mask` of those that it may promise
    // (machine::promises).
    promise,
  };
  /// Bit in the mask of a lane's step: the step keeps a promise. The other bits name the message.
  static constexpr std::uint32_t keeps = 0x10000;
  /// Bit in the mask of a lane's step: the lane is at a choose. The other bits are the answer.
  static constexpr std::uint32_t chooses = 0x20000;
  kind what{};
  std::uint32_t unit = 0;
  std::uint32_t mask = 0;

  friend bool operator==(const choice&, const choice&) = default;
  /// For a step of blocks: whether `block` takes part.
  [[nodiscard]] bool has_block(std::uint32_t block) const {
    return block >= unit && block - unit < (mask == 0 ? 1 : mask);
  }
  /// Whether the choice is a step. Choices of sides, dispatches and promises are no steps.
  [[nodiscard]] bool is_step() const { return what < kind::side; }
  /// Whether the choice gives a lane the answer of its choose.
  [[nodiscard]] bool is_at_choose() const { return what == kind::lane && (mask & chooses) != 0; }
  /// The answer of the choose; 0 for other operations.
  [[nodiscard]] std::uint32_t chosen() const { return is_at_choose() ? mask & ~chooses : 0; }
};

/// The choice as text. Steps of a lane: "b1.w0.l2", "b1.w0.l2 older 1", "b1.w0.l2 keeps 1",
/// "b1.w0.l2 chooses 1", "b1.w0.l2 promises 3". Steps of several lanes: "b1.w0 group 0x3", "b0
/// syncthreads", "b2 sync 2" (of 2 blocks from b2 on). Other choices: "launch 1", "w0 side 0x1",
/// "b2 dispatch". Grids of one block leave out "b0.".
std::string to_text(const choice& c, const grid_shape& grid);
/// Reads the text that to_text() gives. Throws std::invalid_argument.
choice choice_from(std::string_view text, const grid_shape& grid);

/// The lane's name, such as "b1.w0.l2"; without "b1." in a grid of one block.
std::string lane_name(std::uint32_t lane, const grid_shape& grid);
std::string warp_name(std::uint32_t warp, const grid_shape& grid);

}  // namespace simt
