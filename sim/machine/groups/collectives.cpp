// Carries out collectives of a warp: docs/model.md, "Reconvergence".
#include "sim/machine/groups/collectives.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "sim/lane/operation_table.hpp"
#include "sim/machine/machine.hpp"

namespace simt {
using detail::collective_kind;

// `packed` has the mode in bits 0 to 6, and shfl_may_miss in bit 7. It has the distance, mask or
// index in bits 8 to 15, and the width of a segment from bit 16 on. Returns `own` if the source is
// outside the segment (CUDA C++ Programming Guide, warp shuffle functions).
std::uint32_t warp_collectives::shuffle_source(std::uint32_t own, std::uint32_t packed) {
  const auto mode = static_cast<detail::shfl_mode>(packed & 0x7f);
  const std::uint32_t distance = packed >> 8 & 0xff;
  const std::uint32_t width = packed >> 16;
  const std::uint32_t first = own & ~(width - 1);
  switch (mode) {
    case detail::shfl_mode::index: return first | (distance & (width - 1));
    case detail::shfl_mode::up: return own - first >= distance ? own - distance : own;
    case detail::shfl_mode::down: return own + distance < first + width ? own + distance : own;
    case detail::shfl_mode::exclusive_or:
      return (own ^ distance) < first + width ? own ^ distance : own;
  }
  return own;
}

std::array<std::uint32_t, 32> warp_collectives::masks_of(state_view state, std::uint32_t warp,
                                                         std::uint32_t lanes) const {
  const warp_place& w = machine_.places().warps[warp];
  std::array<std::uint32_t, 32> masks{};
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (!in(lanes, i)) continue;
    const operation& op = machine_.waits_at(state, w.first + i);
    const bool is_any = op.collective == collective_kind::activemask;
    masks[i] = is_any ? lanes : mask_of(op, i, w.full_mask());
  }
  return masks;
}

// Only what such shuffles pass on has the mark: to any other, a value is all of its bits.
bool warp_collectives::is_undefined_at(state_view state, std::uint32_t lane) const {
  const operation& op = machine_.waits_at(state, lane);
  return (op.shfl & detail::shfl_may_miss) != 0 && (op.operand & detail::not_shuffled) != 0;
}

bool warp_collectives::collect_answers(state_view state, std::uint32_t warp, std::uint32_t lanes,
                                       std::array<std::uint64_t, 32>& answers,
                                       std::string& why) const {
  answers.fill(0);
  // Under `stack`, several groups may carry out the collective together, each with its own mask.
  const std::array<std::uint32_t, 32> masks = masks_of(state, warp, lanes);
  for (std::uint32_t left = lanes; left != 0;) {
    std::uint32_t group = 0;
    for (std::uint32_t i = 0; i < 32; ++i) {
      if (in(left, i) && masks[i] == masks[std::countr_zero(left)]) group |= 1U << i;
    }
    if (!answers_in_group(state, warp, group, answers, why)) return false;
    left &= ~group;
  }
  return true;
}

bool warp_collectives::answers_in_group(state_view state, std::uint32_t warp, std::uint32_t lanes,
                                        std::array<std::uint64_t, 32>& answers,
                                        std::string& why) const {
  const warp_place& w = machine_.places().warps[warp];
  const auto value = [&](std::uint32_t i) { return machine_.waits_at(state, w.first + i).operand; };

  std::uint32_t votes = 0;
  bool all_equal = true;
  std::uint64_t first_value = 0;
  bool has_first = false;
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (!in(lanes, i)) continue;
    if (value(i) != 0) votes |= 1U << i;
    if (!has_first) first_value = value(i);
    has_first = true;
    all_equal = all_equal && value(i) == first_value;
  }
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (!in(lanes, i)) continue;
    const operation& op = machine_.waits_at(state, w.first + i);
    switch (op.collective) {
      case collective_kind::syncwarp: break;
      case collective_kind::activemask: answers[i] = lanes; break;
      case collective_kind::ballot: answers[i] = votes; break;
      case collective_kind::any: answers[i] = votes != 0; break;
      case collective_kind::all: answers[i] = votes == lanes; break;
      case collective_kind::match_all:
        answers[i] = all_equal ? lanes | std::uint64_t{1} << 32 : 0;
        break;
      case collective_kind::match_any:
        for (std::uint32_t j = 0; j < w.lanes; ++j) {
          if (in(lanes, j) && value(j) == value(i)) answers[i] |= 1U << j;
        }
        break;
      case collective_kind::shfl: {
        const std::uint32_t source = shuffle_source(i, op.shfl);
        const bool may_miss = (op.shfl & detail::shfl_may_miss) != 0;
        // The value of a lane that does not take part is undefined: divergence rule 3.
        if (!in(lanes, source) && may_miss) {
          answers[i] = detail::not_shuffled;
          break;
        }
        if (!in(lanes, source)) {
          why = fmt::format(
              "{} reads from lane {} of its warp, which does not take part in the "
              "shuffle",
              lane_name(w.first + i, machine_.setup().grid), source);
          return false;
        }
        answers[i] = value(source);
        if (!may_miss && is_undefined_at(state, w.first + source)) {
          why = fmt::format(
              "{} gets from lane {} of its warp a value that an earlier shuffle read from a lane "
              "which did not take part",
              lane_name(w.first + i, machine_.setup().grid), source);
          return false;
        }
        break;
      }
      case collective_kind::undefined:  // divergence rule 9
        why = fmt::format(
            "{} uses an undefined value: the shuffle in line {} read it from a lane that did not "
            "take part",
            lane_name(w.first + i, machine_.setup().grid), value(i));
        return false;
      case collective_kind::reduce_add:
      case collective_kind::reduce_min_signed:
      case collective_kind::reduce_max_signed:
      case collective_kind::reduce_min_unsigned:
      case collective_kind::reduce_max_unsigned:
      case collective_kind::reduce_and:
      case collective_kind::reduce_or:
      case collective_kind::reduce_xor: {
        auto all = static_cast<std::uint32_t>(value(i));
        for (std::uint32_t j = 0; j < w.lanes; ++j) {
          if (j != i && in(lanes, j)) {
            all = reduced(op.collective, all, static_cast<std::uint32_t>(value(j)));
          }
        }
        answers[i] = all;
        break;
      }
    }
  }
  return true;
}

void warp_collectives::step(state_view state, std::uint32_t warp, std::uint32_t lanes,
                            successor_list& out) {
  const warp_place& w = machine_.places().warps[warp];
  const choice by{choice::kind::group, warp, lanes};
  std::array<std::uint64_t, 32> answers;
  if (!collect_answers(state, warp, lanes, answers, out.why)) {
    return out.end_by(by, ending::barrier_divergence);
  }
  // Collects all answers first, because advancing may grow the tables of operations.
  std::vector<continuation> next(w.lanes);
  bool exits = false;
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (!in(lanes, i)) continue;
    next[i] = machine_.lanes().advance(w.first + i, state[w.first + i], answers[i]);
    exits = exits || next[i] == exited;
  }
  std::uint32_t memory = state[machine_.memory_word()];
  if (machine_.waits_at(state, w.first + static_cast<std::uint32_t>(std::countr_zero(lanes)))
          .collective == collective_kind::syncwarp) {
    memory = machine_.model().meet(memory, machine_.lanes_of(warp, lanes));
  }
  const auto words = out.add(by, state);
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (in(lanes, i)) words[w.first + i] = next[i];
  }
  words[machine_.memory_word()] = memory;
  if (machine_.has_stacks() || (exits && !machine_.all_resident()))
    machine_.come_to_rest(words, w.block);
}

}  // namespace simt
