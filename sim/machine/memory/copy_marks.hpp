// The marks of asynchronous copies: a bit for each 4 bytes of the image, which stands behind the
// image. A mark says that the generic proxy has written there since the last proxy fence.
//
// Models: docs/model.md, "Memory". The marks follow the steps of lanes, under each memory model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include <simt/detail/agent.hpp>

#include "sim/lane/operation.hpp"
#include "sim/machine/memory/operation_traits.hpp"
#include "sim/model/model.hpp"

namespace simt {

/// The number of bytes of the marks behind an image.
constexpr std::size_t size_of_copy_marks(std::size_t image_size) { return (image_size + 31) / 32; }

/// What a memory is made of (machine_memory.hpp), as bytes.
struct memory_layout {
  std::size_t image = 0;
  std::size_t marks = 0;    // the marks of copies, behind the image
  std::size_t viewers = 0;  // of the weak memory behind them; 0: there is none

  memory_layout() = default;
  /// `image`: the number of bytes of an image. `is_image`: memory is not weak.
  memory_layout(const grid_shape& grid, std::size_t image_size, bool is_image)
      : image(image_size),
        marks(grid.copies ? size_of_copy_marks(image_size) : 0),
        viewers(is_image ? 0 : viewers_of(grid)) {}

  /// Those who view a weak memory: the lanes, and the copies of each block. Of these, the first one
  /// is being handed over, and the others are under way.
  static constexpr std::uint32_t copies_of_block = 1 + detail::most_viewing_copies;
  static std::size_t viewers_of(const grid_shape& grid) {
    return grid.threads() + (grid.copies ? std::size_t{grid.blocks} * copies_of_block : 0);
  }
};

/// Changes `marks` as the operation does. Returns whether a mark was found that the operation tells
/// (tells_marks, concerns_marks_only).
inline bool change_copy_marks(std::span<std::uint8_t> marks, const operation& op,
                              const operation_traits& t) {
  using enum detail::memory_kind;
  if (op.memory == mbarrier || op.memory == load || is_of_desk(op)) return false;
  if (op.memory == proxy_fence && op.operand == 0) {  // of all places
    std::ranges::fill(marks, std::uint8_t{0});
    return false;
  }
  bool found = false;
  for (std::size_t cell = t.offset / 4; cell <= (t.offset + t.size - 1) / 4; ++cell) {
    std::uint8_t& byte = marks[cell / 8];
    const auto mark = static_cast<std::uint8_t>(1U << cell % 8);
    found = found || (byte & mark) != 0;
    if (op.memory == proxy_fence || op.memory == async_store) {
      byte = static_cast<std::uint8_t>(byte & ~mark);
    } else if (op.memory != async_load) {
      byte |= mark;
    }
  }
  return found && (tells_marks(op) || op.memory == async_load);
}

}  // namespace simt
