// Follows continuations of lanes by known or tried answers, within limits of work.
#include "checker/report/cause/lane_future.hpp"

#include <cstring>
#include <deque>

#include <simt/detail/agent.hpp>

#include "sim/lane/operation_table.hpp"

namespace warpcheck {
namespace {

// A report need not be complete, but it must come soon.
constexpr std::size_t most_continuations = 20'000;
constexpr int most_local_moves = 10'000;
constexpr int longest_way_round = 200;
constexpr int most_strayed = 4;
constexpr std::size_t most_values = 64;

bool is_of_pool(const simt::operation& op) { return simt::row_of(op.memory).is_of_pool; }

}  // namespace

std::optional<std::uint64_t> lane_future::local_answer(std::uint32_t lane,
                                                       const simt::operation& op) const {
  const simt::grid_places& places = run_.machine().places();
  const simt::place& at = places.lanes[lane];
  if (op.kind == simt::operation_kind::branch || op.kind == simt::operation_kind::point) return 0;
  if (op.kind == simt::operation_kind::shared) {
    return run_.memory().shared_address(op.number, at.block);
  }
  if (op.kind == simt::operation_kind::assignment) {
    return run_.machine().lanes().assignment_of(lane, op);
  }
  if (op.kind != simt::operation_kind::index) return std::nullopt;
  const simt::grid_shape& grid = places.shape;
  using simt::detail::index_kind;
  switch (static_cast<index_kind>(op.number)) {
    case index_kind::lane: return at.index;
    case index_kind::warp: return at.warp % grid.warps();
    case index_kind::block: return at.block;
    case index_kind::thread_rank: return lane - at.block * grid.agents();
    case index_kind::warp_size: return places.warps[at.warp].lanes;
    case index_kind::warp_count: return grid.warps() - grid.agents();
    case index_kind::block_size: return grid.block_threads() - grid.agents();
    case index_kind::block_count: return grid.blocks;
    case index_kind::grid_size: return grid.own_threads();
    case index_kind::cluster_rank: return at.block % grid.cluster;
    case index_kind::cluster_size: return grid.cluster;
    case index_kind::copies:
      return grid.is_agent(at.warp) ? simt::detail::is_the_agent
             : grid.copies          ? simt::detail::has_an_agent
                                    : 0;
  }
  return 0;
}

std::optional<simt::continuation> lane_future::at_rest(std::uint32_t lane, simt::continuation c) {
  return at_rest(program_, lane, c);
}

std::optional<simt::continuation> lane_future::at_rest(simt::lane_program& program,
                                                       std::uint32_t lane, simt::continuation c) {
  try {
    for (int i = 0; i < most_local_moves; ++i) {
      if (c == simt::exited) return c;
      const simt::operation op = program.at(c);
      const auto answer = local_answer(lane, op);
      if (!answer) return c;
      if (op.kind != simt::operation_kind::branch && op.kind != simt::operation_kind::point) {
        asks_for_place_ = true;
      }
      c = program.next(c, *answer);
    }
  } catch (const std::exception&) {
    // An answer that no run gives may lead device code astray.
  }
  return std::nullopt;
}

simt::continuation lane_future::on_trial(simt::continuation c) {
  if (c == simt::exited) return c;
  const auto [at, is_new] = on_trial_.try_emplace(c);
  if (is_new) at->second = trials_->adopt(program_, c);
  return at->second;
}

std::optional<bool> lane_future::gets_out(std::uint32_t lane, simt::state_view state,
                                          const loop& of, simt::continuation from,
                                          std::uint64_t value) {
  using simt::operation_kind;
  simt::lane_program& program = *trials_;
  const std::uint64_t address = program_.at(from).address;
  std::set<std::pair<simt::continuation, std::uint64_t>> seen;
  simt::continuation c = on_trial(from);
  if (inside_of_ != of.inside) {
    inside_of_ = of.inside;
    inside_.clear();
    for (const simt::continuation each : of.inside) inside_.insert(on_trial(each));
  }
  for (int i = 0; i < longest_way_round && tries_left_ > 0; ++i) {
    const simt::operation op = program.at(c);
    if (op.kind == operation_kind::endless) return false;
    if (op.kind == operation_kind::choose) return std::nullopt;  // the value is unknown
    const bool accesses =
        op.kind == operation_kind::memory && !is_of_pool(op) &&
        run_.machine().lanes().traits_of(op).what == simt::operation_traits::kind::access;
    const bool is_silent = row_of(op.kind).step == simt::step_kind::silent;
    // An operation with an effect that is not in the loop comes after it.
    const bool is_known = of.places.contains(op.pc);
    if (!is_silent && !(accesses && (is_known || !op.writes()))) return true;
    std::uint64_t answer = 0;
    if (accesses) answer = simt::answer(op, op.address == address ? value : memory_at(state, op));
    if (accesses && op.writes() && op.address == address) value = simt::apply(op, value);
    --tries_left_;
    if (strayed_ >= most_strayed && !program.known(c, answer)) return std::nullopt;
    std::optional<simt::continuation> next;
    try {
      next = at_rest(program, lane, program.next(c, answer));
    } catch (const std::exception&) {
      // The tried answer has led device code astray.
    }
    if (!next) {
      ++strayed_;
      return std::nullopt;
    }
    c = *next;
    if (c == simt::exited) return true;
    // A lane that waits for a single location may pass several reads of it in one round.
    if (!of.reads_one && inside_.contains(c)) return false;
    if (!seen.emplace(c, value).second) return false;
  }
  return std::nullopt;
}

void lane_future::learn(std::uint32_t lane, simt::continuation from, std::uint64_t value) {
  const std::uint64_t address = program_.at(from).address;
  std::set<simt::continuation> seen;
  try {
    while (seen.insert(from).second && from != simt::exited) {
      const simt::operation op = program_.at(from);
      if (op.kind != simt::operation_kind::memory || op.address != address || is_of_pool(op))
        return;
      const auto next = at_rest(lane, program_.next(from, simt::answer(op, value)));
      if (!next) return;
      value = simt::apply(op, value);
      from = *next;
    }
  } catch (const std::exception&) {
    // The value has led device code astray.
  }
}

std::vector<std::uint64_t> lane_future::values_at(std::uint64_t address) const {
  std::set<std::uint64_t> values;
  const auto enough = [&] { return values.size() >= most_values; };
  for (simt::continuation c = 0; c < program_.size() && !enough(); ++c) {
    const simt::operation& op = program_.at(c);
    if (op.kind != simt::operation_kind::memory || op.address != address || is_of_pool(op))
      continue;
    if (op.writes()) values.insert(op.operand);
    if (op.memory == simt::detail::memory_kind::compare_exchange) values.insert(op.compare);
    if (op.memory == simt::detail::memory_kind::store) continue;
    program_.for_each_known(c, [&](std::uint64_t answer, simt::continuation) {
      if (!enough()) values.insert(answer);
    });
  }
  return {values.begin(), values.end()};
}

std::uint64_t lane_future::memory_at(simt::state_view state, const simt::operation& op) const {
  const simt::operation_traits traits = run_.machine().lanes().traits_of(op);
  std::uint64_t value = 0;
  if (traits.what == simt::operation_traits::kind::access) {
    std::memcpy(&value, run_.machine().image(state).data() + traits.offset, traits.size);
  }
  return value;
}

/// Returns answers that `op` may get. The search knows what others may do to memory. A counter to
/// which a lane only adds keeps its value, or every ticket would seem to be this lane's.
std::vector<std::uint64_t> lane_future::answers(std::uint32_t lane, simt::state_view state,
                                                simt::continuation c,
                                                const simt::operation& op) const {
  if (const auto mine = local_answer(lane, op)) return {*mine};
  const bool reads =
      op.kind == simt::operation_kind::memory && op.memory != simt::detail::memory_kind::store;
  const std::uint64_t now = reads ? memory_at(state, op) : 0;
  using simt::detail::memory_kind;
  if (reads && is_of_pool(op)) return {simt::answer(op, now)};
  const bool adds = reads && op.memory != memory_kind::load && op.memory != memory_kind::exchange &&
                    op.memory != memory_kind::compare_exchange;
  std::vector<std::uint64_t> result{now};
  if (adds) return result;
  program_.for_each_known(c, [&](std::uint64_t answer, simt::continuation) {
    if (answer != now) result.push_back(answer);
  });
  return result;
}

std::optional<simt::operation> lane_future::find_write(
    std::uint32_t lane, simt::state_view state, std::uint64_t address,
    const std::function<bool(std::uint64_t)>& wanted) {
  // A continuation, and the location's value as this lane has last seen or made it.
  struct node {
    simt::continuation at;
    std::optional<std::uint64_t> value;
  };
  std::deque<node> queue{{state[lane], std::nullopt}};
  std::set<std::pair<simt::continuation, std::optional<std::uint64_t>>> seen;
  while (!queue.empty() && seen.size() < most_continuations && work_left_ > 0) {
    --work_left_;
    const node here = queue.front();
    queue.pop_front();
    if (here.at == simt::exited || !seen.emplace(here.at, here.value).second) continue;
    const simt::operation op = program_.at(here.at);
    const bool touches =
        op.kind == simt::operation_kind::memory && op.address == address && !is_of_pool(op) &&
        run_.machine().lanes().traits_of(op).what == simt::operation_traits::kind::access;
    const bool stores = touches && op.memory == simt::detail::memory_kind::store;
    std::vector<std::uint64_t> given = answers(lane, state, here.at, op);
    // If the operation changes the location by its old value, the lane's own view of that holds.
    const bool changes = touches && op.writes() && !stores;
    if (changes && here.value) given = {*here.value};
    for (const std::uint64_t answer : given) {
      std::optional<std::uint64_t> value = here.value;
      if (touches) {
        if (!stores && wanted(answer) && !(changes && here.value)) continue;
        value = simt::apply(op, answer);
        if (op.writes() && (stores || *value != answer) && wanted(*value)) return op;
      }
      try {
        // A lane may be told less than the value.
        const bool is_value = op.kind == simt::operation_kind::memory && !is_of_pool(op);
        const std::uint64_t told = is_value ? simt::answer(op, answer) : answer;
        queue.push_back({program_.next(here.at, told), value});
      } catch (const std::exception&) {
        // The answer has led device code astray.
      }
    }
  }
  return std::nullopt;
}

}  // namespace warpcheck
