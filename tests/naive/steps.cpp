// The steps of the machine: what one visible operation does.
#include <algorithm>

#include "tests/naive/lookup.hpp"
#include "tests/naive/machine.hpp"

namespace naive {
namespace {

bool scope_includes(const access& of, const access& other) {
  if (of.how == strength::thread_scope) return of.by == other.by;
  return of.how != strength::block_scope || of.by.block == other.by.block;
}

bool morally_strong(const access& a, const access& b) {
  return a.how != strength::weak && b.how != strength::weak && a.byte == b.byte &&
         scope_includes(a, b) && scope_includes(b, a);
}

}  // namespace

bool touch(const access& a, const access& b) {
  return a.by != b.by && a.shared_of == b.shared_of && a.cell == b.cell && (a.writes || b.writes);
}

bool conflict(const access& a, const access& b) { return touch(a, b) && !morally_strong(a, b); }

std::set<int> machine::owed_blocks(const state& s) const {
  std::set<int> unfinished;
  for (int b = 0; b < config_.blocks; ++b) {
    if (at_index(s.blocks, b).status != block_status::finished) unfinished.insert(b);
  }
  const auto is_lowest = [&](int b) { return b == *unfinished.begin(); };
  const auto has_stepped = [&](int b) { return s.stepped.contains(b); };
  std::set<int> owed;
  for (const int b : unfinished) {
    if (at_index(s.blocks, b).status != block_status::resident) continue;
    bool chosen = false;
    switch (config_.progress) {
      case progress::fair: chosen = true; break;
      case progress::unfair: break;
      case progress::hsa: chosen = is_lowest(b); break;
      case progress::obe: chosen = has_stepped(b); break;
      case progress::hsa_obe: chosen = is_lowest(b) || has_stepped(b); break;
      case progress::lobe: chosen = !s.stepped.empty() && b <= *s.stepped.rbegin(); break;
    }
    if (chosen) owed.insert(b);
  }
  return owed;
}

lane_set machine::mask_of(place p, const lane_state& l) const {
  const unsigned bits = static_cast<unsigned>(evaluate(operation_of(l).mask, p, l));
  lane_set result;
  for (int i = 0; i < at_index(config_.lanes, p.warp); ++i) {
    if ((bits >> i & 1U) != 0) result.insert(i);
  }
  return result;
}

bool machine::enabled(const state& s, place p) const {
  const lane_state& l = lane_at(s, p);
  if (l.status != lane_status::waits) return false;
  return its() || (warp_at(s, p).active.contains(p.lane) && l.ahead == 0);
}

void machine::finish(transition t, std::vector<transition>& out) const {
  state acted = std::move(t.next);
  if (config_.progress != progress::fair && config_.progress != progress::unfair) {
    for (const place p : t.lanes) acted.stepped.insert(p.block);
  }
  std::vector<state> settled;
  settle(acted, settled);
  for (state& s : settled) {
    t.next = std::move(s);
    out.push_back(t);
  }
}

void machine::memory_step(const state& s, place p, std::vector<transition>& out) const {
  const lane_state& l = lane_at(s, p);
  const operation& op = operation_of(l);
  const int cell = evaluate(op.cell, p, l);
  transition t{{p}, std::nullopt, s};
  std::vector<int>& memory = op.shared ? at_index(t.next.blocks, p.block).shared : t.next.cells;
  if (cell < 0 || cell >= static_cast<int>(memory.size())) {
    t.next.ended = ending::bad_access;
    finish(std::move(t), out);
    return;
  }
  t.accessed =
      access{p, op.shared ? p.block : -1, cell, op.kind != operation_kind::load, op.how, op.byte};
  int& word = at_index(memory, cell);
  const int old = op.byte ? word & 0xff : word;
  switch (op.kind) {
    case operation_kind::store:
      word =
          op.byte ? (word & ~0xff) | (evaluate(op.value, p, l) & 0xff) : evaluate(op.value, p, l);
      break;
    case operation_kind::exchange: word = evaluate(op.value, p, l); break;
    case operation_kind::compare_exchange:
      if (old == evaluate(op.expected, p, l)) word = evaluate(op.value, p, l);
      break;
    case operation_kind::add:
      word = static_cast<int>(static_cast<unsigned>(old) +
                              static_cast<unsigned>(evaluate(op.value, p, l)));
      break;
    default: break;
  }
  if (op.target >= 0) at_index(lane_at(t.next, p).registers, op.target) = old;
  advance(t.next, p);
  finish(std::move(t), out);
}

/// The lanes that carry out the collective of `p` together; none if it must wait.
lane_set machine::collective_group(const state& s, place p) const {
  const lane_state& own = lane_at(s, p);
  if (!its()) {
    for (const int lane : warp_at(s, p).active) {
      const place other{p.block, p.warp, lane};
      const lane_state& l = lane_at(s, other);
      if (!enabled(s, other) || l.block != own.block || l.index != own.index) return {};
    }
    return warp_at(s, p).active;
  }
  const lane_set mask = mask_of(p, own);
  if (!mask.contains(p.lane)) return {};
  lane_set group;
  for (const int lane : mask) {
    const place other{p.block, p.warp, lane};
    const lane_state& l = lane_at(s, other);
    if (l.status == lane_status::exited) continue;
    if (l.status != lane_status::waits || operation_of(l).kind != operation_of(own).kind ||
        mask_of(other, l) != mask) {
      return {};
    }
    group.insert(lane);
  }
  return group;
}

void machine::collective_step(const state& s, place p, const lane_set& group,
                              std::vector<transition>& out) const {
  transition t;
  t.next = s;
  std::map<int, int> value;
  for (const int lane : group) {
    const place by{p.block, p.warp, lane};
    t.lanes.insert(by);
    value[lane] = evaluate(operation_of(lane_at(s, by)).value, by, lane_at(s, by));
  }
  for (const int lane : group) {
    const place by{p.block, p.warp, lane};
    const lane_state& before = lane_at(s, by);
    const operation& op = operation_of(before);
    // Under `stack` lanes with other masks may be at it as well.
    lane_set fellows;
    for (const int other : group) {
      const place o{p.block, p.warp, other};
      if (op.kind == operation_kind::activemask || mask_of(o, lane_at(s, o)) == mask_of(by, before))
        fellows.insert(other);
    }
    const auto mask_where = [&](auto&& holds) {
      unsigned bits = 0;
      for (const int other : fellows) {
        if (holds(value[other])) bits |= 1U << other;
      }
      return static_cast<int>(bits);
    };
    const int participants = mask_where([](int) { return true; });
    const int voters = mask_where([](int v) { return v != 0; });
    const int same = mask_where([&](int v) { return v == value[lane]; });
    int result = 0;
    switch (op.kind) {
      case operation_kind::ballot: result = voters; break;
      case operation_kind::any: result = voters != 0 ? 1 : 0; break;
      case operation_kind::all: result = voters == participants ? 1 : 0; break;
      case operation_kind::match_any: result = same; break;
      case operation_kind::match_all: result = same == participants ? participants : 0; break;
      case operation_kind::reduce_add: {
        unsigned sum = 0;
        for (const int who : fellows) sum += static_cast<unsigned>(value[who]);
        result = static_cast<int>(sum);
        break;
      }
      case operation_kind::reduce_max:
        result = value[lane];
        for (const int who : fellows) result = std::max(result, value[who]);
        break;
      case operation_kind::activemask: result = participants; break;
      case operation_kind::shfl: {
        const int source = evaluate(op.source, by, before);
        if (source < 0 || source >= 32) {
          result = value[lane];
        } else if (fellows.contains(source)) {
          result = value[source];
        } else {
          t.next.ended = ending::barrier_divergence;
        }
        break;
      }
      default: break;
    }
    if (op.target >= 0) at_index(lane_at(t.next, by).registers, op.target) = result;
    advance(t.next, by);
  }
  finish(std::move(t), out);
}

void machine::activemask_steps(const state& s, place p, std::vector<transition>& out) const {
  if (!its()) {
    const lane_set group = collective_group(s, p);
    if (!group.empty() && *group.begin() == p.lane) collective_step(s, p, group, out);
    return;
  }
  // Each set is met once, at its lowest lane `p`: any subset of the higher lanes may join it.
  const lane_state& own = lane_at(s, p);
  std::vector<int> others;
  for (int lane = p.lane + 1; lane < at_index(config_.lanes, p.warp); ++lane) {
    const lane_state& l = lane_at(s, {p.block, p.warp, lane});
    if (l.status == lane_status::waits && l.block == own.block && l.index == own.index) {
      others.push_back(lane);
    }
  }
  for (unsigned chosen = 0; chosen < 1U << others.size(); ++chosen) {
    lane_set group{p.lane};
    for (std::size_t i = 0; i < others.size(); ++i) {
      if ((chosen >> i & 1U) != 0) group.insert(others[i]);
    }
    collective_step(s, p, group, out);
  }
}

bool machine::syncthreads_ready(const state& s, int block) const {
  bool someone = false;
  for (int w = 0; w < static_cast<int>(config_.lanes.size()); ++w) {
    for (int i = 0; i < at_index(config_.lanes, w); ++i) {
      const lane_state& l = lane_at(s, {block, w, i});
      if (l.status == lane_status::exited) continue;
      if (!enabled(s, {block, w, i}) || operation_of(l).kind != operation_kind::syncthreads) {
        return false;
      }
      someone = true;
    }
  }
  return someone;
}

bool machine::arrival_ready(const state& s, int block, int warp) const {
  std::optional<std::pair<int, int>> where;
  for (int i = 0; i < at_index(config_.lanes, warp); ++i) {
    const lane_state& l = lane_at(s, {block, warp, i});
    if (l.status == lane_status::exited) continue;
    if (!enabled(s, {block, warp, i})) return false;
    const operation_kind kind = operation_of(l).kind;
    if (kind != operation_kind::barrier_sync && kind != operation_kind::barrier_arrive)
      return false;
    if (where && *where != std::pair(l.block, l.index)) return false;
    where = std::pair(l.block, l.index);
  }
  return where.has_value();
}

void machine::barrier_steps(const state& s, int block, std::vector<transition>& out) const {
  const int warps = static_cast<int>(config_.lanes.size());
  const auto each_lane = [&](int first, int last, auto&& act) {
    for (int w = first; w < last; ++w) {
      for (int i = 0; i < at_index(config_.lanes, w); ++i) act(place{block, w, i});
    }
  };
  if (syncthreads_ready(s, block)) {
    transition t;
    t.next = s;
    each_lane(0, warps, [&](place p) {
      if (lane_at(s, p).status == lane_status::exited) return;
      t.lanes.insert(p);
      advance(t.next, p);
    });
    finish(std::move(t), out);
  }
  for (int w = 0; w < warps; ++w) {
    if (!arrival_ready(s, block, w)) continue;
    transition t;
    t.next = s;
    const operation* op = nullptr;
    each_lane(w, w + 1, [&](place p) {
      if (lane_at(s, p).status == lane_status::exited) return;
      t.lanes.insert(p);
      op = &operation_of(lane_at(s, p));
    });
    numbered_barrier& barrier = at_index(t.next.blocks, block).barriers[op->barrier];
    if (barrier.count > 0 && barrier.warps != op->warps) {
      t.next.ended = ending::barrier_divergence;
      finish(std::move(t), out);
      continue;
    }
    barrier.warps = op->warps;
    ++barrier.count;
    for (const place p : t.lanes) {
      if (op->kind == operation_kind::barrier_arrive) {
        advance(t.next, p);
      } else {
        lane_at(t.next, p).status = lane_status::second_half;
      }
    }
    if (barrier.count == op->warps) {
      at_index(t.next.blocks, block).barriers.erase(op->barrier);
      each_lane(0, warps, [&](place p) {
        const lane_state& l = lane_at(t.next, p);
        if (l.status == lane_status::second_half && operation_of(l).barrier == op->barrier) {
          advance(t.next, p);
        }
      });
    }
    finish(std::move(t), out);
  }
}

/// The host's step, alone; with it the next launch begins.
void machine::host_step(const state& s, std::vector<transition>& out) const {
  if (!program_.host || s.over) return;
  transition t{{}, std::nullopt, s};
  ++at_index(t.next.cells, program_.host->counts);
  ++t.next.launch;
  const bool stops = at_index(t.next.cells, program_.host->stops) != 0;
  if (stops || t.next.launch >= program_.host->most) {
    t.next.over = true;
  } else {
    begin_launch(t.next);
  }
  finish(std::move(t), out);
}

std::vector<transition> machine::steps(const state& s) const {
  std::vector<transition> out;
  if (s.ended != ending::none) return out;
  if (all_finished(s)) {
    host_step(s, out);
    return out;
  }
  for (int b = 0; b < config_.blocks; ++b) {
    if (at_index(s.blocks, b).status != block_status::resident) continue;
    for (int w = 0; w < static_cast<int>(config_.lanes.size()); ++w) {
      for (int i = 0; i < at_index(config_.lanes, w); ++i) {
        const place p{b, w, i};
        if (!enabled(s, p)) continue;
        const operation_kind kind = operation_of(lane_at(s, p)).kind;
        if (is_memory(kind)) {
          memory_step(s, p, out);
        } else if (kind == operation_kind::fail) {
          transition t{{p}, std::nullopt, s};
          t.next.ended = ending::assertion;
          finish(std::move(t), out);
        } else if (kind == operation_kind::activemask) {
          activemask_steps(s, p, out);
        } else if (is_collective(kind) && (its() || kind != operation_kind::syncwarp)) {
          const lane_set group = collective_group(s, p);
          if (!group.empty() && *group.begin() == p.lane) collective_step(s, p, group, out);
        } else if (kind == operation_kind::choose) {
          for (const int value : {0, 1}) {
            transition t{{p}, std::nullopt, s};
            const int target = operation_of(lane_at(s, p)).target;
            if (target >= 0) at_index(lane_at(t.next, p).registers, target) = value;
            advance(t.next, p);
            finish(std::move(t), out);
          }
        } else if (!is_barrier(kind)) {  // a fence, nanosleep, or syncwarp under `stack`
          transition t{{p}, std::nullopt, s};
          advance(t.next, p);
          finish(std::move(t), out);
        }
      }
    }
    barrier_steps(s, b, out);
  }
  return out;
}

}  // namespace naive
