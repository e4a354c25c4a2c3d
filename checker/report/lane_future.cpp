#include "checker/report/lane_future.hpp"

#include <deque>
#include <unordered_set>

namespace warpcheck {
namespace {

// A report need not be complete; it must be there soon.
constexpr std::size_t most_continuations = 100'000;
constexpr int most_local_moves = 10'000;

}  // namespace

std::optional<std::uint64_t> lane_future::local_answer(std::uint32_t lane,
                                                       const simt::operation& op) const {
  const simt::grid_places& places = run_.machine().places();
  const simt::place& at = places.lanes[lane];
  if (op.kind == simt::operation_kind::branch) return 0;
  if (op.kind == simt::operation_kind::shared) {
    return run_.memory().shared_address(op.number, at.block);
  }
  if (op.kind != simt::operation_kind::index) return std::nullopt;
  const simt::grid_shape& grid = places.shape;
  using simt::detail::index_kind;
  switch (static_cast<index_kind>(op.number)) {
    case index_kind::lane: return at.index;
    case index_kind::warp: return at.warp % grid.warps();
    case index_kind::block: return at.block;
    case index_kind::thread_rank: return lane;
    case index_kind::warp_size: return places.warps[at.warp].lanes;
    case index_kind::warp_count: return grid.warps();
    case index_kind::block_size: return grid.block_threads();
    case index_kind::block_count: return grid.blocks;
    case index_kind::grid_size: return grid.threads();
  }
  return 0;
}

std::optional<simt::continuation> lane_future::at_rest(std::uint32_t lane, simt::continuation c) {
  try {
    for (int i = 0; i < most_local_moves; ++i) {
      if (c == simt::exited) return c;
      const simt::operation op = program_.at(c);
      const auto answer = local_answer(lane, op);
      if (!answer) return c;
      c = program_.next(c, *answer);
    }
  } catch (const std::exception&) {
    // An answer that no run gives may lead device code astray.
  }
  return std::nullopt;
}

std::optional<simt::continuation> lane_future::after(std::uint32_t lane, simt::continuation c,
                                                     std::uint64_t answer) {
  try {
    return at_rest(lane, program_.next(c, answer));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::optional<simt::operation> lane_future::find(
    std::uint32_t lane, simt::continuation c,
    const std::function<bool(const simt::operation&)>& wanted) {
  std::deque<simt::continuation> queue{c};
  std::unordered_set<simt::continuation> seen{c};
  while (!queue.empty() && seen.size() < most_continuations) {
    const simt::continuation here = queue.front();
    queue.pop_front();
    if (here == simt::exited) continue;
    const simt::operation op = program_.at(here);
    if (wanted(op)) return op;
    const auto mine = local_answer(lane, op);
    program_.for_each_known(here, [&](std::uint64_t answer, simt::continuation next) {
      if (mine && answer != *mine) return;  // another lane's
      if (seen.insert(next).second) queue.push_back(next);
    });
  }
  return std::nullopt;
}

}  // namespace warpcheck
