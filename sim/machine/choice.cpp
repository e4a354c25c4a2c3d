// Converts choices, lanes and warps to the text that reports show, and reads choices back from it.
#include "sim/machine/choice.hpp"

#include <charconv>
#include <stdexcept>

#include <fmt/format.h>

#include "sim/machine/places.hpp"

namespace simt {
namespace {

std::string block_prefix(std::uint32_t block, const grid_shape& grid) {
  return grid.blocks > 1 ? fmt::format("b{}.", block) : std::string();
}

/// Reads `letter` and a number off the front of `text`.
std::uint32_t take(std::string_view& text, char letter, std::string_view whole) {
  std::uint32_t value = 0;
  if (!text.empty() && text.front() == letter) {
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), value);
    if (error == std::errc()) {
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
      if (text.starts_with('.')) text.remove_prefix(1);
      return value;
    }
  }
  throw std::invalid_argument(fmt::format("\"{}\" is not a choice", whole));
}

}  // namespace

std::string warp_name(std::uint32_t warp, const grid_shape& grid) {
  const std::uint32_t per_block = grid.warps();
  if (grid.is_agent(warp)) return block_prefix(warp / per_block, grid) + "copies";
  return fmt::format("{}w{}", block_prefix(warp / per_block, grid), warp % per_block);
}

std::string lane_name(std::uint32_t lane, const grid_shape& grid) {
  const std::uint32_t block = lane / grid.block_threads();
  std::uint32_t index = lane % grid.block_threads();
  std::uint32_t warp = 0;
  while (index >= grid.lanes[warp]) index -= grid.lanes[warp++];
  if (grid.is_agent(warp)) return block_prefix(block, grid) + "copies";
  return fmt::format("{}w{}.l{}", block_prefix(block, grid), warp, index);
}

std::string to_text(const choice& c, const grid_shape& grid) {
  switch (c.what) {
    case choice::kind::lane:
      if (c.mask == 0) return lane_name(c.unit, grid);
      if (c.is_at_choose()) {
        return fmt::format("{} chooses {}", lane_name(c.unit, grid), c.chosen());
      }
      return fmt::format("{} {} {}", lane_name(c.unit, grid),
                         (c.mask & choice::keeps) != 0 ? "keeps" : "older",
                         c.mask & ~choice::keeps);
    case choice::kind::promise:
      return fmt::format("{} promises {}", lane_name(c.unit, grid), c.mask);
    case choice::kind::group: return fmt::format("{} group {:#x}", warp_name(c.unit, grid), c.mask);
    case choice::kind::block:
      if (c.mask != 0) return fmt::format("b{} sync {}", c.unit, c.mask);
      return fmt::format("b{} syncthreads", c.unit);
    case choice::kind::launch: return fmt::format("launch {}", c.unit);
    case choice::kind::side: return fmt::format("{} side {:#x}", warp_name(c.unit, grid), c.mask);
    case choice::kind::dispatch: return fmt::format("b{} dispatch", c.unit);
  }
  return {};
}

choice choice_from(std::string_view text, const grid_shape& grid) {
  const std::string_view whole = text;
  const auto fail = [&] {
    return std::invalid_argument(fmt::format("\"{}\" is not a choice of this grid", whole));
  };
  if (constexpr std::string_view launch = "launch "; text.starts_with(launch)) {
    text.remove_prefix(launch.size());
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number == 0) throw fail();
    return {choice::kind::launch, number, 0};
  }
  std::uint32_t block = 0;
  if (text.starts_with('b')) block = take(text, 'b', whole);
  if (block >= grid.blocks) throw fail();
  if (text == " syncthreads") return {choice::kind::block, block, 0};
  if (text == " dispatch") return {choice::kind::dispatch, block, 0};
  if (constexpr std::string_view sync = " sync "; text.starts_with(sync)) {
    text.remove_prefix(sync.size());
    std::uint32_t blocks = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), blocks);
    const bool is_read = error == std::errc() && end == text.data() + text.size();
    if (!is_read || blocks == 0 || blocks > grid.blocks - block) throw fail();
    return {choice::kind::block, block, blocks};
  }
  constexpr std::string_view agent = "copies";
  const bool is_agent = grid.copies && text.starts_with(agent);
  if (is_agent) text.remove_prefix(agent.size());
  const std::uint32_t warp = is_agent ? grid.warps() - 1 : take(text, 'w', whole);
  if (warp >= grid.warps()) throw fail();
  const std::uint32_t warp_of_grid = block * grid.warps() + warp;
  if (is_agent || text.starts_with('l')) {
    const std::uint32_t index = is_agent ? 0 : take(text, 'l', whole);
    if (index >= grid.lanes[warp]) throw fail();
    const std::uint32_t lane = grid_places(grid).warps[warp_of_grid].first + index;
    if (text.empty()) return {choice::kind::lane, lane, 0};
    const auto last_blank = text.rfind(' ');
    const std::string_view what = text.substr(0, last_blank + 1);
    text.remove_prefix(last_blank + 1);
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) throw fail();
    if (number >= choice::keeps) throw fail();
    if (what == " promises ") return {choice::kind::promise, lane, number};
    if (what == " chooses ") return {choice::kind::lane, lane, number | choice::chooses};
    if (what == " keeps ") return {choice::kind::lane, lane, number | choice::keeps};
    if (what != " older " || number == 0) throw fail();
    return {choice::kind::lane, lane, number};
  }
  const bool group = text.starts_with(" group 0x");
  if (!group && !text.starts_with(" side 0x")) throw fail();
  text.remove_prefix(group ? 9 : 8);
  std::uint32_t mask = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mask, 16);
  if (error != std::errc() || end != text.data() + text.size()) throw fail();
  return {group ? choice::kind::group : choice::kind::side, warp_of_grid, mask};
}

}  // namespace simt
