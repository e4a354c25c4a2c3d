// Computes what shuffles, votes, matches and reductions answer to the lanes of a warp.
#include <algorithm>

#include "exec/carry/grid.hpp"

#include "sim/lane/operation.hpp"

namespace warpcheck::carry {
namespace {

using simt::detail::collective_kind;

std::uint32_t source_of_shuffle(std::uint32_t own, std::uint32_t packed) {
  using simt::detail::shfl_mode;
  const auto mode = static_cast<shfl_mode>(packed & 0xff);
  const std::uint32_t distance = packed >> 8 & 0xff;
  const std::uint32_t width = packed >> 16;
  const std::uint32_t first = own & ~(width - 1);
  std::uint32_t from = own;
  if (mode == shfl_mode::index) from = first | (distance & (width - 1));
  if (mode == shfl_mode::up) from = own - distance;
  if (mode == shfl_mode::down) from = own + distance;
  if (mode == shfl_mode::exclusive_or) from = own ^ distance;
  // Numbers below 0 wrap around. An exclusive-or may lead to an earlier segment.
  const bool is_within = from < first + width && (from >= first || mode == shfl_mode::exclusive_or);
  return is_within ? from : own;
}

}  // namespace

void answer_collective(std::array<lane*, 32>& warp, std::uint32_t group) {
  const auto is_in = [&](std::uint32_t i) { return (group >> i & 1) != 0; };
  std::array<std::uint64_t, 32> values{};
  std::uint32_t votes = 0;
  std::uint32_t first = 32;
  bool all_equal = true;
  for (std::uint32_t i = 0; i < 32; ++i) {
    if (!is_in(i)) continue;
    values[i] = warp[i]->value;
    first = std::min(first, i);
    if (values[i] != 0) votes |= 1U << i;
    all_equal = all_equal && values[i] == values[first];
  }
  for (std::uint32_t i = 0; i < 32; ++i) {
    if (!is_in(i)) continue;
    std::uint64_t& answer = warp[i]->value;
    switch (warp[i]->collective) {
      case collective_kind::syncwarp: break;
      case collective_kind::activemask: answer = group; break;
      case collective_kind::ballot: answer = votes; break;
      case collective_kind::any: answer = votes != 0 ? 1 : 0; break;
      case collective_kind::all: answer = votes == group ? 1 : 0; break;
      case collective_kind::match_all:
        answer = all_equal ? group | std::uint64_t{1} << 32 : 0;
        break;
      case collective_kind::match_any: {
        std::uint32_t same = 0;
        for (std::uint32_t j = 0; j < 32; ++j) {
          if (is_in(j) && values[j] == values[i]) same |= 1U << j;
        }
        answer = same;
        break;
      }
      case collective_kind::shfl: {
        const std::uint32_t from = source_of_shuffle(i, warp[i]->shfl);
        answer = is_in(from) ? values[from] : values[i];
        break;
      }
      default: {
        auto all = static_cast<std::uint32_t>(values[i]);
        for (std::uint32_t j = 0; j < 32; ++j) {
          if (j != i && is_in(j)) {
            all = simt::reduced(warp[i]->collective, all, static_cast<std::uint32_t>(values[j]));
          }
        }
        answer = all;
      }
    }
  }
}

}  // namespace warpcheck::carry
