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
    lane,   // unit: a lane of the grid; it carries out its operation. mask: where memory is weak,
            // how many messages of the location are newer than the one that it reads, or
            // stores behind; at a choose, what it is answered
    group,  // unit: a warp of the grid, mask: lanes that carry out theirs together
    block,  // unit: a block whose lanes pass a syncthreads together; mask: 0, or, of a barrier of a
            // cluster or of the grid, how many blocks do, from this one on
    launch,    // all lanes have exited: the host does its step before the launch of this number
               // (unit)
    side,      // unit: a warp, mask: the pending side of its top frame that becomes active
    dispatch,  // unit: a block that becomes resident
    promise,   // unit: a lane, mask: which of the stores that it may promise (machine::promises)
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
  /// Whether the choice is a step. (Choices of sides, dispatches and promises are not.)
  [[nodiscard]] bool is_step() const { return what < kind::side; }
  /// Whether a lane gets the answer of a choose.
  [[nodiscard]] bool is_at_choose() const { return what == kind::lane && (mask & chooses) != 0; }
  /// The answer of the choose; 0 for other operations.
  [[nodiscard]] std::uint32_t chosen() const { return is_at_choose() ? mask & ~chooses : 0; }
};

/// "b1.w0.l2", "b1.w0.l2 older 1", "b1.w0.l2 keeps 1", "b1.w0.l2 chooses 1", "b1.w0.l2 promises 3",
/// "b1.w0 group 0x3", "b0 syncthreads", "b2 sync 2" (of 2 blocks from b2 on), "launch 1",
/// "w0 side 0x1", "b2 dispatch"; "b0." is left out in grids of one block.
std::string to_text(const choice& c, const grid_shape& grid);
/// The inverse. Throws std::invalid_argument.
choice choice_from(std::string_view text, const grid_shape& grid);

/// "b1.w0.l2"; without "b1." in a grid of one block.
std::string lane_name(std::uint32_t lane, const grid_shape& grid);
std::string warp_name(std::uint32_t warp, const grid_shape& grid);

}  // namespace simt
