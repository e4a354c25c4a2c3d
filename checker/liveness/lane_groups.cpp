// Reads the stacks of warps into units, teams, groups and gates.
#include "checker/liveness/lane_groups.hpp"

#include <algorithm>

namespace warpcheck {
namespace {

using simt::no_block;
using simt::operation;
using simt::operation_kind;
using simt::subject_library;

/// Returns the next reconvergence block that lies on every way from `block` to the end of the body.
std::uint32_t next_meeting(const subject_library& library, std::uint32_t block) {
  do {
    block = library.roles[block].immediate_post_dominator;
  } while (block != no_block && !library.roles[block].is_reconvergence);
  return block;
}

bool leads_to(const subject_library& library, std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t> open{from};
  std::vector<char> met(library.blocks.size(), 0);
  while (!open.empty()) {
    const std::uint32_t block = open.back();
    open.pop_back();
    if (block == to) return true;
    for (const std::uint32_t next : library.blocks[block].successors) {
      if (next < met.size() && met[next] == 0) open.push_back(next);
      if (next < met.size()) met[next] = 1;
    }
  }
  return false;
}

}  // namespace

bool lane_groups::read(const simt::machine& machine, simt::state_view state, fineness how) {
  units.clear();
  teams.clear();
  groups.clear();
  gates.clear();
  unit_of_.clear();
  if (!machine.has_stacks() && how == fineness::continuations) {
    read_all(machine, state);
    return true;
  }
  for (std::uint32_t w = 0; w < machine.places().warps.size(); ++w) {
    if (!read_warp(machine, state, w, how)) return false;
  }
  return true;
}

// Under `its`, there is one unit for the lanes of resident blocks, and one for all other lanes.
void lane_groups::read_all(const simt::machine& machine, simt::state_view state) {
  for (const bool resident : {true, false}) {
    standing_.clear();
    for (std::uint32_t lane = 0; lane < machine.places().lanes.size(); ++lane) {
      if (state[lane] == simt::exited) continue;
      if (machine.is_resident(state, machine.places().lanes[lane].block) != resident) continue;
      standing_.push_back({0, state[lane], lane});
    }
    if (standing_.empty()) continue;
    std::ranges::stable_sort(standing_, {}, &standing::at);
    const auto unit = static_cast<std::uint32_t>(units.size());
    units.emplace_back().resident = resident;
    teams.emplace_back().unit = unit;
    add_groups(unit, static_cast<std::uint32_t>(teams.size() - 1), fineness::continuations);
  }
}

bool lane_groups::read_warp(const simt::machine& machine, simt::state_view state,
                            std::uint32_t warp, fineness how) {
  const simt::warp_place& w = machine.places().warps[warp];
  standing_.clear();
  signature_.clear();
  const bool resident = machine.is_resident(state, w.block);
  signature_.push_back(resident ? 1 : 0);
  signature_.push_back(w.lanes);
  if (how == fineness::lanes) signature_.push_back(warp);
  if (machine.has_stacks()) {
    const simt::warp_stack& stack = machine.stack(state, warp);
    std::uint32_t team = 0;
    std::uint32_t met = 0;
    bool twice = false;
    const auto stand = [&](std::uint32_t mask) {
      for (std::uint32_t i = 0; i < w.lanes; ++i) {
        if (!simt::in(mask, i) || state[w.first + i] == simt::exited) continue;
        twice = twice || simt::in(met, i);
        met |= 1U << i;
        standing_.push_back({team, state[w.first + i], w.first + i});
      }
      ++team;
    };
    stand(stack.active);
    for (const simt::warp_frame& frame : stack.frames) {
      signature_.push_back(frame.block);
      signature_.push_back(static_cast<std::uint32_t>(frame.pending.size()));
      stand(frame.arrived);
      for (const std::uint32_t side : frame.pending) stand(side);
    }
    signature_.push_back(no_block);
    // Each lane must be in exactly one place.
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      if (state[w.first + i] != simt::exited && !simt::in(met, i)) return false;
    }
    if (twice) return false;
  } else {
    for (std::uint32_t lane = w.first; lane < w.first + w.lanes; ++lane) {
      if (state[lane] != simt::exited) standing_.push_back({0, state[lane], lane});
    }
  }
  if (standing_.empty()) return true;
  std::ranges::sort(standing_, [](const standing& a, const standing& b) {
    return a.team != b.team ? a.team < b.team : a.at != b.at ? a.at < b.at : a.lane < b.lane;
  });
  for (const standing& s : standing_) {
    signature_.push_back(s.team);
    signature_.push_back(s.at);
  }
  const auto [known, is_new] =
      unit_of_.try_emplace(signature_, static_cast<std::uint32_t>(units.size()));
  const std::uint32_t number = known->second;
  if (!is_new) {
    std::uint32_t group = units[number].first_group;
    for (std::size_t i = 0; i < standing_.size(); ++i) {
      if (i > 0 &&
          (standing_[i].team != standing_[i - 1].team || standing_[i].at != standing_[i - 1].at)) {
        ++group;
      }
      groups[group].lanes.push_back(standing_[i].lane);
    }
    units[number].warps.push_back(warp);
    return true;
  }
  units.emplace_back().resident = resident;
  units.back().warps.push_back(warp);
  const auto first_team = static_cast<std::uint32_t>(teams.size());
  if (!machine.has_stacks()) {
    teams.emplace_back().unit = number;
  } else {
    units.back().is_parted = !machine.stack(state, warp).frames.empty();
    if (!add_teams(machine, state, warp, number)) return false;
  }
  add_groups(number, first_team, how);
  return true;
}

void lane_groups::add_groups(std::uint32_t unit, std::uint32_t first_team, fineness how) {
  lane_unit& u = units[unit];
  u.first_group = static_cast<std::uint32_t>(groups.size());
  for (std::size_t i = 0; i < standing_.size(); ++i) {
    const standing& s = standing_[i];
    const bool is_new = i == 0 || how == fineness::lanes || s.team != standing_[i - 1].team ||
                        s.at != standing_[i - 1].at;
    if (is_new) {
      const std::uint32_t team = first_team + s.team;
      groups.push_back({s.at, unit, team, teams[team].level, {}});
    }
    groups.back().lanes.push_back(s.lane);
  }
  u.groups = static_cast<std::uint32_t>(groups.size()) - u.first_group;
}

std::uint32_t lane_groups::add_gate(const lane_gate& gate) {
  gates.push_back(gate);
  return static_cast<std::uint32_t>(gates.size() - 1);
}

// Adds the teams of a warp, in the order in which read_warp numbers them, and the gates in front of
// them. False: the stack is not nested as post-dominators are.
bool lane_groups::add_teams(const simt::machine& machine, simt::state_view state,
                            std::uint32_t warp, std::uint32_t unit) {
  const subject_library& library = machine.program().library();
  const simt::warp_stack& stack = machine.stack(state, warp);
  const simt::warp_place& w = machine.places().warps[warp];
  const auto depth = static_cast<std::uint32_t>(stack.frames.size());

  // Adds gates in front of the blocks that the team will pass. Up to the block of the frame below,
  // a gate needs all of the team. From there on, it needs all of that frame and above, and so on.
  // From blocks that do not lead to the end, none of these gates is reached.
  const auto add_entries = [&](std::uint32_t team, std::uint32_t from, std::uint32_t first,
                               std::uint32_t frames_below) {
    lane_gate needed{unit, 0, 0, team};
    for (std::uint32_t block = first; block != no_block; block = next_meeting(library, block)) {
      while (frames_below > 0 && stack.frames[frames_below - 1].block == block) {
        --frames_below;
        needed.level = frames_below;
        needed.team = lane_gate::any_team;
      }
      if (frames_below > 0 && stack.frames[frames_below - 1].block == no_block) frames_below = 0;
      needed.block = block;
      teams[team].entries.push_back({block, add_gate(needed)});
    }
    if (frames_below > 0 && stack.frames[frames_below - 1].block == no_block) frames_below = 0;
    return frames_below == 0 || !leads_to(library, from, stack.frames[frames_below - 1].block);
  };

  const auto begin_team = [&](std::uint32_t level) {
    teams.emplace_back();
    teams.back().unit = unit;
    teams.back().level = level;
    return static_cast<std::uint32_t>(teams.size() - 1);
  };
  const auto operations_of = [&](std::uint32_t mask, auto holds) {
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      if (!simt::in(mask, i) || state[w.first + i] == simt::exited) continue;
      if (!holds(machine.waits_at(state, w.first + i))) return false;
    }
    return true;
  };

  const std::uint32_t active = begin_team(depth);
  std::uint32_t from = no_block;
  std::optional<std::uint32_t> ahead;
  const bool in_step = operations_of(stack.active, [&](const operation& op) {
    if (op.block == no_block) return false;
    const std::uint32_t next = next_meeting(library, op.block);
    if (ahead && *ahead != next) return false;
    from = op.block;
    ahead = next;
    return true;
  });
  if (!in_step || (ahead && !add_entries(active, from, *ahead, depth))) return false;

  for (std::uint32_t level = 0; level < depth; ++level) {
    const simt::warp_frame& frame = stack.frames[level];
    const std::uint32_t arrived = begin_team(level);
    const bool stand_there = operations_of(frame.arrived, [&](const operation& op) {
      return op.kind == operation_kind::branch && op.target == frame.block;
    });
    if (!stand_there) return false;
    if (frame.arrived != 0 &&
        (frame.block == no_block || !add_entries(arrived, frame.block, frame.block, level + 1))) {
      return false;
    }
    for (const std::uint32_t side : frame.pending) {
      const std::uint32_t team = begin_team(level);
      std::optional<std::uint32_t> target;
      const bool go_one_way = operations_of(side, [&](const operation& op) {
        if (op.kind != operation_kind::branch || op.target == frame.block) return false;
        if (target && *target != op.target) return false;
        target = op.target;
        return true;
      });
      if (!go_one_way || !target) return false;
      if (!add_entries(team, *target, next_meeting(library, *target), level + 1)) return false;
      // The side runs when all lanes above have come to the frame's block.
      teams[team].starts_with = add_gate({unit, frame.block, level + 1, lane_gate::any_team});
    }
  }
  return true;
}

}  // namespace warpcheck
