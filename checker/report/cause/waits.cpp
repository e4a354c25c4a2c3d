#include "checker/report/cause/waits.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/report/cause/lane_future.hpp"
#include "checker/report/describe.hpp"

namespace warpcheck {
namespace {

using simt::operation_kind;
using simt::detail::memory_kind;
using kind = lane_wait::kind;

std::uint64_t truncated(std::uint64_t value, std::uint8_t size) {
  return size >= 8 ? value : value & ((std::uint64_t{1} << size * 8U) - 1);
}

/// A location that a lane reads in its cycle, and the values that would let it go on.
struct condition {
  std::uint64_t address = 0;
  std::uint8_t size = 0;
  source_place at;
  std::set<std::uint64_t> leaves;  // of the values tried
  std::set<std::uint64_t> stays;
};

class analysis {
 public:
  analysis(session& run, names& named, const trace& t)
      : run_(run), named_(named), trace_(t), future_(run), machine_(run.machine()) {}

  std::vector<lane_wait> run() {
    const std::uint32_t lanes = run_.setup().grid.threads();
    std::vector<lane_wait> waits(lanes);
    conditions_.resize(lanes);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) waits[lane] = standing(lane);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      if (waits[lane].what == kind::spins) conditions_[lane] = find_condition(lane);
    }
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      if (waits[lane].what == kind::spins) explain_spin(lane, waits);
    }
    return waits;
  }

 private:
  session& run_;
  names& named_;
  const trace& trace_;
  lane_future future_;
  simt::machine& machine_;
  std::vector<std::optional<condition>> conditions_;

  std::vector<std::uint32_t> lanes_where(const std::function<bool(std::uint32_t)>& holds) const {
    std::vector<std::uint32_t> result;
    for (std::uint32_t lane = 0; lane < trace_.last_positions.size(); ++lane) {
      if (trace_.last_positions[lane].what != lane_position::kind::exited && holds(lane)) {
        result.push_back(lane);
      }
    }
    return result;
  }

  lane_wait standing(std::uint32_t lane) {
    const lane_position& at = trace_.last_positions[lane];
    const auto& places = machine_.places().lanes;
    lane_wait wait;
    const simt::operation op = machine_.waits_at(trace_.last, lane);
    wait.at = named_.place(op.pc);
    wait.operation = operation_name(op);
    switch (at.what) {
      case lane_position::kind::exited: wait.what = kind::finished; return wait;
      case lane_position::kind::absent:
        wait.what = kind::absent;
        wait.waits_for = lanes_where([&](std::uint32_t other) {
          return trace_.last_positions[other].what != lane_position::kind::absent;
        });
        return wait;
      case lane_position::kind::parked:
      case lane_position::kind::other_side: {
        const bool parked = at.what == lane_position::kind::parked;
        wait.what = parked ? kind::parked : kind::other_side;
        wait.at = at.resumes_at;
        // Lanes that run, and those of this frame and of the frames above it that have yet to.
        wait.waits_for = lanes_where([&](std::uint32_t other) {
          const lane_position& p = trace_.last_positions[other];
          if (places[other].warp != places[lane].warp || other == lane) return false;
          if (p.what == lane_position::kind::running) return true;
          if (p.frame > at.frame) return true;
          return parked && p.frame == at.frame && p.what == lane_position::kind::other_side;
        });
        return wait;
      }
      case lane_position::kind::running: break;
    }
    for (std::size_t i = trace_.cycle_begin; i < trace_.steps.size(); ++i) {
      for (const lane_action& a : trace_.steps[i].actions) {
        if (a.lane != lane) continue;
        wait.what = kind::spins;
        return wait;
      }
    }
    if (op.kind == operation_kind::collective || op.kind == operation_kind::barrier) {
      wait.what = op.kind == operation_kind::barrier ? kind::barrier : kind::collective;
      wait.waits_for = lanes_where([&](std::uint32_t other) {
        const simt::operation& its = machine_.waits_at(trace_.last, other);
        if (op.kind == operation_kind::barrier) {
          return places[other].block == places[lane].block &&
                 (its.kind != op.kind || its.barrier != op.barrier || its.number != op.number);
        }
        return places[other].warp == places[lane].warp &&
               (op.mask >> places[other].index & 1U) != 0 &&
               (its.kind != op.kind || its.collective != op.collective || its.mask != op.mask);
      });
      return wait;
    }
    wait.what = kind::ready;
    return wait;
  }

  /// Values that reads of the location may be answered with: those of the run, and small ones.
  std::set<std::uint64_t> values_for(std::uint64_t address) const {
    std::set<std::uint64_t> values;
    const std::uint64_t few = std::min<std::uint64_t>(run_.setup().grid.threads(), 64) + 2;
    for (std::uint64_t v = 0; v < few; ++v) values.insert(v);
    for (const trace_step& step : trace_.steps) {
      for (const lane_action& a : step.actions) {
        if (a.op.kind != operation_kind::memory || a.op.address != address) continue;
        values.insert(a.old_value);
        values.insert(a.new_value);
      }
    }
    return values;
  }

  std::optional<condition> find_condition(std::uint32_t lane) {
    std::set<simt::continuation> inside;
    std::map<simt::continuation, const lane_action*> reads;
    for (std::size_t i = trace_.cycle_begin; i < trace_.steps.size(); ++i) {
      const trace_step& step = trace_.steps[i];
      if (const auto c = future_.at_rest(lane, step.before[lane])) inside.insert(*c);
      for (const lane_action& a : step.actions) {
        const bool reads_memory =
            a.op.kind == operation_kind::memory && a.valid && a.op.memory != memory_kind::store;
        if (a.lane == lane && reads_memory) reads.emplace(a.from, &a);
      }
    }
    for (const auto& [from, action] : reads) {
      condition c{action->op.address, action->op.size, action->at, {}, {}};
      for (const std::uint64_t value : values_for(action->op.address)) {
        const std::uint64_t v = truncated(value, action->op.size);
        const auto next = future_.after(lane, from, v);
        if (!next) continue;
        (inside.contains(*next) ? c.stays : c.leaves).insert(v);
      }
      // One location that decides is an explanation; that others are read too is detail.
      if (!c.leaves.empty()) return c;
    }
    return std::nullopt;
  }

  std::string until(const condition& c) {
    const std::string& name = named_.variable(c.address);
    const auto text = [&](std::uint64_t v) { return named_.value(v, c.size); };
    if (c.leaves.size() == 1) return fmt::format("`{}` is {}", name, text(*c.leaves.begin()));
    if (c.stays.size() == 1) return fmt::format("`{}` is not {}", name, text(*c.stays.begin()));
    if (!c.stays.empty() && *c.leaves.begin() > *c.stays.rbegin()) {
      return fmt::format("`{}` is {} or more", name, text(*c.leaves.begin()));
    }
    if (!c.stays.empty() && *c.leaves.rbegin() < *c.stays.begin()) {
      return fmt::format("`{}` is {} or less", name, text(*c.leaves.rbegin()));
    }
    return fmt::format("`{}` has another value", name);
  }

  void explain_spin(std::uint32_t lane, std::vector<lane_wait>& waits) {
    lane_wait& wait = waits[lane];
    const auto& c = conditions_[lane];
    if (!c) return;
    wait.at = c->at;
    wait.variable = named_.variable(c->address);
    wait.until = until(*c);
    wait.change = c->leaves.size() == 1
                      ? fmt::format("set it to {}", named_.value(*c->leaves.begin(), c->size))
                      : "change it";
    std::vector<std::uint32_t> behind_the_same;  // they would, but wait for the same first
    for (const std::uint32_t other : lanes_where([&](std::uint32_t l) { return l != lane; })) {
      const auto found = future_.find_write(other, trace_.last, c->address, c->leaves);
      if (!found) continue;
      const auto& theirs = conditions_[other];
      if (theirs && theirs->address == c->address && theirs->leaves == c->leaves) {
        behind_the_same.push_back(other);
        continue;
      }
      wait.waits_for.push_back(other);
      if (!wait.writer_at.known()) wait.writer_at = named_.place(found->pc);
    }
    if (!wait.waits_for.empty()) return;
    for (const trace_step& step : trace_.steps) {
      for (const lane_action& a : step.actions) {
        if (!a.op.writes() || !a.valid || a.op.address != c->address || a.lane == lane) continue;
        if (a.new_value == a.old_value) continue;
        const bool gone = trace_.last[a.lane] == simt::exited;
        wait.last_writer = fmt::format("{} set it to {} last {}{}", named_.lane(a.lane),
                                       named_.value(a.new_value, a.op.size), a.at.aside(),
                                       gone ? " and has exited" : "");
      }
    }
  }
};

}  // namespace

std::vector<lane_wait> waits_of(session& run, names& named, const trace& t) {
  return analysis(run, named, t).run();
}

}  // namespace warpcheck
