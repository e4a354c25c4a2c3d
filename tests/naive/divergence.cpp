// When a state is a barrier-divergence. (That of a `shfl` from an absent lane, and of a numbered
// barrier whose count changes, show when they are carried out: steps.cpp.)
#include <map>
#include <set>

#include "tests/naive/lookup.hpp"
#include "tests/naive/machine.hpp"

namespace naive {

bool machine::collectives_diverged(const state& s, int block, int warp) const {
  const int lanes = at_index(config_.lanes, warp);
  const auto at_collective = [&](int i) {
    const lane_state& l = lane_at(s, {block, warp, i});
    return l.status == lane_status::waits && is_collective(operation_of(l).kind);
  };
  if (its()) {
    // i waits for j: j is in i's mask, and is at a collective of another kind or mask.
    std::map<int, std::set<int>> waits_for;
    for (int i = 0; i < lanes; ++i) {
      if (!at_collective(i)) continue;
      const place p{block, warp, i};
      const lane_set mask = mask_of(p, lane_at(s, p));
      if (!mask.contains(i)) return true;
      for (const int j : mask) {
        const place q{block, warp, j};
        if (!at_collective(j)) continue;
        const bool together =
            operation_of(lane_at(s, p)).kind == operation_of(lane_at(s, q)).kind &&
            mask_of(q, lane_at(s, q)) == mask;
        // Who waits with i waits for j, too.
        if (together) continue;
        for (int k = 0; k < lanes; ++k) {
          const place r{block, warp, k};
          if (at_collective(k) &&
              operation_of(lane_at(s, r)).kind == operation_of(lane_at(s, p)).kind &&
              mask_of(r, lane_at(s, r)) == mask) {
            waits_for[k].insert(j);
          }
        }
      }
    }
    // A lane that waits for itself, through others, waits for ever.
    for (int step = 0; step < lanes; ++step) {
      for (auto& [i, all] : waits_for) {
        const std::set<int> now = all;
        for (const int j : now) {
          if (const auto next = waits_for.find(j); next != waits_for.end()) {
            all.insert(next->second.begin(), next->second.end());
          }
        }
      }
    }
    for (const auto& [i, all] : waits_for) {
      if (all.contains(i)) return true;
    }
    return false;
  }
  // Under `stack`, once all active lanes stand at one collective other than syncwarp.
  const lane_set& active = at_index(at_index(s.blocks, block).warps, warp).active;
  if (active.empty()) return false;
  for (const int i : active) {
    if (!at_collective(i) || !enabled(s, {block, warp, i})) return false;
    if (operation_of(lane_at(s, {block, warp, i})).kind == operation_kind::syncwarp) return false;
  }
  // Those named by a mask are there, and have the same mask.
  for (const int i : active) {
    const place p{block, warp, i};
    if (operation_of(lane_at(s, p)).kind == operation_kind::activemask) return false;
    const lane_set mask = mask_of(p, lane_at(s, p));
    if (!mask.contains(i)) return true;
    for (const int j : mask) {
      const place q{block, warp, j};
      if (lane_at(s, q).status == lane_status::exited) continue;
      if (!active.contains(j) || mask_of(q, lane_at(s, q)) != mask) return true;
    }
  }
  return false;
}

bool machine::barriers_diverged(const state& s, int block) const {
  bool all_wait = true;
  bool someone_waits = false;
  bool arrival = false;
  // Whether a warp has arrived at syncthreads, which is barrier 0, or at barrier 0 with a count, or
  // is about to do the latter.
  bool all_at_zero = false;
  bool some_at_zero = false;
  std::set<int> barriers;  // the numbered ones waited at; -1: syncthreads
  for (int w = 0; w < static_cast<int>(config_.lanes.size()); ++w) {
    const lane_set& active = at_index(at_index(s.blocks, block).warps, w).active;
    const lane_state* waiting = nullptr;
    bool warp_parked = false;
    bool warp_waits = true;
    std::size_t active_at_barrier = 0;
    for (int i = 0; i < at_index(config_.lanes, w); ++i) {
      const lane_state& l = lane_at(s, {block, w, i});
      if (l.status == lane_status::exited) continue;
      if (!its() && !active.contains(i)) warp_parked = true;
      const bool at_barrier = l.status == lane_status::second_half ||
                              (l.status == lane_status::waits && is_barrier(operation_of(l).kind));
      if (!at_barrier) {
        all_wait = warp_waits = false;
        continue;
      }
      // One place has one id and one count, so another place is all there is to differ.
      if (waiting != nullptr && (waiting->block != l.block || waiting->index != l.index))
        return true;
      waiting = &l;
      someone_waits = true;
      const operation& op = operation_of(l);
      barriers.insert(op.kind == operation_kind::syncthreads ? -1 : op.barrier);
      if (!its()) ++active_at_barrier;
    }
    if (warp_parked && active_at_barrier > 0 && active_at_barrier == active.size()) return true;
    arrival = arrival || arrival_ready(s, block, w);
    if (waiting == nullptr || !warp_waits) continue;
    const operation& op = operation_of(*waiting);
    all_at_zero = all_at_zero || op.kind == operation_kind::syncthreads;
    some_at_zero = some_at_zero || (op.barrier == 0 && arrival_ready(s, block, w));
  }
  const auto zero = at_index(s.blocks, block).barriers.find(0);
  some_at_zero = some_at_zero || zero != at_index(s.blocks, block).barriers.end();
  if (all_at_zero && some_at_zero) return true;
  // Too few at one barrier is a deadlock; lanes at different ones have diverged.
  return all_wait && someone_waits && barriers.size() > 1 && !arrival &&
         !syncthreads_ready(s, block);
}

bool machine::diverged(const state& s) const {
  for (int b = 0; b < config_.blocks; ++b) {
    if (at_index(s.blocks, b).status != block_status::resident) continue;
    for (int w = 0; w < static_cast<int>(config_.lanes.size()); ++w) {
      if (collectives_diverged(s, b, w)) return true;
    }
    if (barriers_diverged(s, b)) return true;
  }
  return false;
}

}  // namespace naive
