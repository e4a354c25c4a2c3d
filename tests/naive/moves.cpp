// The part of the machine that takes no step: local code, reconvergence, dispatch of blocks.
#include <stdexcept>

#include "tests/naive/lookup.hpp"
#include "tests/naive/machine.hpp"

namespace naive {

machine::machine(const program& p, const configuration& c)
    : program_(p), config_(c), graph_(flow_graph_of(p)) {}

int machine::evaluate(const expression& e, place p, const lane_state& l) const {
  const auto operand = [&](std::size_t i) { return evaluate(e.operands[i], p, l); };
  const auto bits = [&](std::size_t i) { return static_cast<unsigned>(operand(i)); };
  switch (e.kind) {
    case expression_kind::constant: return e.value;
    case expression_kind::lane: return p.lane;
    case expression_kind::warp: return p.warp;
    case expression_kind::block: return p.block;
    case expression_kind::rank: {
      int rank = p.lane;
      for (int w = 0; w < p.warp; ++w) rank += at_index(config_.lanes, w);
      for (const int lanes : config_.lanes) rank += p.block * lanes;
      return rank;
    }
    case expression_kind::local: return at_index(l.registers, e.value);
    case expression_kind::add: return static_cast<int>(bits(0) + bits(1));
    case expression_kind::subtract: return static_cast<int>(bits(0) - bits(1));
    case expression_kind::modulo: return operand(0) % operand(1);
    case expression_kind::bit_and: return operand(0) & operand(1);
    case expression_kind::shift_left: return static_cast<int>(bits(0) << bits(1));
    case expression_kind::equal: return operand(0) == operand(1) ? 1 : 0;
    case expression_kind::not_equal: return operand(0) != operand(1) ? 1 : 0;
    case expression_kind::less: return operand(0) < operand(1) ? 1 : 0;
  }
  return 0;
}

const instruction& machine::at(const lane_state& l) const {
  return at_index(at_index(graph_.blocks, l.block).code, l.index);
}

void machine::run(state& s, place p) const {
  lane_state& l = lane_at(s, p);
  l.from = no_block;
  for (int guard = 0; guard < 10'000; ++guard) {
    const basic_block& b = at_index(graph_.blocks, l.block);
    if (l.index < static_cast<int>(b.code.size())) {
      const instruction& next = at(l);
      if (next.visible) {
        l.status = lane_status::waits;
        return;
      }
      at_index(l.registers, next.target) = evaluate(next.value, p, l);
      ++l.index;
      continue;
    }
    if (b.successors.empty()) {
      l = lane_state{};
      l.status = lane_status::exited;
      warp_at(s, p).active.erase(p.lane);
      return;
    }
    std::size_t taken = 0;
    if (b.successors.size() > 1) {
      const int value = evaluate(b.selector, p, l);
      while (taken < b.labels.size() && b.labels[taken] != value) ++taken;
    }
    const int target = b.successors[taken];
    const bool stops =
        !its() && (b.successors.size() > 1 || graph_.meeting_points.contains(target));
    if (stops) {
      l.status = lane_status::at_entry;
      l.from = l.block;
      l.ahead = 0;
    }
    l.block = target;
    l.index = 0;
    if (stops) return;
  }
  throw std::logic_error("a lane runs for ever without a visible operation: " + program_.name);
}

void machine::advance(state& s, place p) const {
  lane_state& l = lane_at(s, p);
  ++l.index;
  if (!its()) ++l.ahead;
  run(s, p);
}

void machine::activate(state& s, int block, int warp, const lane_set& lanes) const {
  at_index(at_index(s.blocks, block).warps, warp).active = lanes;
  for (const int lane : lanes) run(s, {block, warp, lane});
}

/// All active lanes have stopped, having left one basic block: they go on, arrive, or diverge.
void machine::part(state& s, int block, int warp) const {
  warp_state& w = at_index(at_index(s.blocks, block).warps, warp);
  std::map<int, lane_set> sides;
  int left = no_block;
  for (const int lane : w.active) {
    lane_state& l = lane_at(s, {block, warp, lane});
    if (left != no_block && l.from != left) throw std::logic_error("lanes left different blocks");
    left = l.from;
    l.from = no_block;
    sides[l.block].insert(lane);
  }
  if (sides.size() == 1) {
    const lane_set together = w.active;
    if (!w.frames.empty() && w.frames.back().meeting == sides.begin()->first) {
      w.frames.back().arrived.insert(together.begin(), together.end());
      w.active.clear();
    } else {
      activate(s, block, warp, together);
    }
    return;
  }
  const int meeting = at_index(graph_.reconvergence, left);
  if (w.frames.empty() || w.frames.back().meeting != meeting || !w.frames.back().pending.empty()) {
    w.frames.push_back({meeting, {}, {}});
  }
  for (const auto& [target, lanes] : sides) {
    if (target == meeting) {
      w.frames.back().arrived.insert(lanes.begin(), lanes.end());
    } else {
      w.frames.back().pending[target] = lanes;
    }
  }
  w.active.clear();
}

/// Moves one warp until some lane waits at an operation, or all have exited. At a choice, gives
/// all states that it can lead to in `choices`, and returns true.
bool machine::resolve_warp(state& s, int block, int warp, std::vector<state>& choices) const {
  warp_state& w = at_index(at_index(s.blocks, block).warps, warp);
  for (;;) {
    if (!w.active.empty()) {
      for (const int lane : w.active) {
        if (lane_at(s, {block, warp, lane}).status != lane_status::at_entry) return false;
      }
      part(s, block, warp);
      continue;
    }
    if (w.frames.empty()) return false;
    if (!w.frames.back().pending.empty()) {
      for (const auto& [target, lanes] : w.frames.back().pending) {
        state next = s;
        at_index(at_index(next.blocks, block).warps, warp).frames.back().pending.erase(target);
        activate(next, block, warp, lanes);
        choices.push_back(std::move(next));
      }
      return true;
    }
    const frame popped = w.frames.back();
    w.frames.pop_back();
    if (popped.arrived.empty()) continue;
    if (!w.frames.empty() && w.frames.back().meeting == popped.meeting) {
      w.frames.back().arrived.insert(popped.arrived.begin(), popped.arrived.end());
    } else {
      activate(s, block, warp, popped.arrived);
    }
  }
}

/// Counts how far lanes are ahead from the hindmost one, so that endless code stays finite.
void machine::align(state& s, int block, int warp) const {
  const warp_state& w = at_index(at_index(s.blocks, block).warps, warp);
  std::optional<int> least;
  for (const int lane : w.active) {
    const lane_state& l = lane_at(s, {block, warp, lane});
    if (l.status == lane_status::at_entry) continue;
    if (!least || l.ahead < *least) least = l.ahead;
  }
  for (const int lane : w.active) {
    lane_state& l = lane_at(s, {block, warp, lane});
    if (l.status != lane_status::at_entry) l.ahead -= *least;
  }
}

void machine::start_block(state& s, int block) const {
  block_state& b = at_index(s.blocks, block);
  b.status = block_status::resident;
  for (int w = 0; w < static_cast<int>(b.warps.size()); ++w) {
    lane_set all;
    for (int l = 0; l < at_index(config_.lanes, w); ++l) all.insert(l);
    activate(s, block, w, all);
    if (its()) at_index(b.warps, w).active.clear();
  }
}

void machine::settle(state& s, std::vector<state>& out) const {
  if (s.ended != ending::none) {
    out.push_back(s);
    return;
  }
  int resident = 0;
  std::vector<int> unstarted;
  for (int b = 0; b < config_.blocks; ++b) {
    block_state& block = at_index(s.blocks, b);
    if (block.status == block_status::unstarted) unstarted.push_back(b);
    if (block.status != block_status::resident) continue;
    bool finished = true;
    for (int w = 0; w < static_cast<int>(block.warps.size()); ++w) {
      if (!its()) {
        std::vector<state> choices;
        if (resolve_warp(s, b, w, choices)) {
          for (state& choice : choices) settle(choice, out);
          return;
        }
        align(s, b, w);
      }
      for (const lane_state& l : at_index(block.lanes, w)) {
        finished = finished && l.status == lane_status::exited;
      }
    }
    if (finished) {
      block.status = block_status::finished;
    } else {
      ++resident;
    }
  }
  if (!unstarted.empty() && (config_.resident == 0 || resident < config_.resident)) {
    if (config_.blocks_in_order) unstarted.resize(1);
    for (const int b : unstarted) {
      state next = s;
      start_block(next, b);
      settle(next, out);
    }
    return;
  }
  if (diverged(s)) s.ended = ending::barrier_divergence;
  out.push_back(s);
}

std::vector<state> machine::initial() const {
  state s;
  s.cells = program_.cells;
  begin_launch(s);
  std::vector<state> out;
  settle(s, out);
  return out;
}

/// No lane has begun, and shared memory is new.
void machine::begin_launch(state& s) const {
  block_state b;
  for (const int lanes : config_.lanes) {
    b.lanes.emplace_back(static_cast<std::size_t>(lanes));
    for (lane_state& l : b.lanes.back()) {
      if (program_.host && program_.host->numbers)
        at_index(l.registers, local_count - 1) = s.launch;
    }
    b.warps.emplace_back();
  }
  b.shared.assign(static_cast<std::size_t>(program_.shared_cells), 0);
  s.blocks.assign(static_cast<std::size_t>(config_.blocks), b);
  s.stepped.clear();
}

bool machine::complete(const state& s) const {
  return all_finished(s) && (!program_.host || s.over);
}

bool machine::all_finished(const state& s) const {
  for (const block_state& b : s.blocks) {
    if (b.status != block_status::finished) return false;
  }
  return true;
}

std::vector<state> machine::without_stack(const state& s) const {
  state next = s;
  for (int b = 0; b < config_.blocks; ++b) {
    block_state& block = at_index(next.blocks, b);
    for (int w = 0; w < static_cast<int>(block.warps.size()); ++w) {
      at_index(block.warps, w) = {};
      for (int i = 0; i < at_index(config_.lanes, w); ++i) {
        lane_state& l = lane_at(next, {b, w, i});
        l.ahead = 0;
        if (l.status == lane_status::at_entry) run(next, {b, w, i});
      }
    }
  }
  std::vector<state> out;
  settle(next, out);
  return out;
}

}  // namespace naive
