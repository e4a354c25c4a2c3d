// Asks for each lane what it waits for, and which lanes could end that wait.
#include "checker/report/cause/waits.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <simt/detail/agent.hpp>

#include "checker/report/cause/condition.hpp"
#include "checker/report/cause/lane_future.hpp"
#include "checker/report/cause/near_values.hpp"
#include "checker/report/describe.hpp"
#include "sim/lane/operation_table.hpp"

namespace warpcheck {
namespace {

using simt::operation_kind;
using simt::detail::memory_kind;
using kind = lane_wait::kind;

class analysis {
 public:
  analysis(session& run, names& named, const trace& t)
      : run_(run), named_(named), trace_(t), future_(run), machine_(run.machine()), locals_(run) {}

  std::vector<lane_wait> run() {
    const std::uint32_t lanes = run_.setup().grid.threads();
    std::vector<lane_wait> waits(lanes);
    conditions_.resize(lanes);
    said_.resize(lanes);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      waits[lane] = standing(lane);
      if (has_nothing_to_copy(lane)) waits[lane].what = kind::finished;
    }
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      if (waits[lane].what != kind::spins) continue;
      conditions_[lane] = find_condition(lane);
      if (conditions_[lane]) said_[lane] = until(*conditions_[lane]);
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
  std::vector<std::string> said_;  // by condition
  lane_locals locals_;
  std::map<std::uint64_t, std::vector<std::uint64_t>> constants_;  // by the place of the read
  // By the place of the read: number of conditions.
  std::map<std::uint64_t, int> asked_at_;
  std::map<std::pair<simt::continuation, lane_future::loop>, condition> shared_;
  // By condition and lane: the write with which the lane would make the condition true.
  std::map<std::pair<std::string, std::uint32_t>, std::optional<simt::operation>> writes_;

  std::vector<std::uint32_t> lanes_where(const std::function<bool(std::uint32_t)>& holds) const {
    std::vector<std::uint32_t> result;
    for (std::uint32_t lane = 0; lane < trace_.last_positions.size(); ++lane) {
      if (trace_.last_positions[lane].what != lane_position::kind::exited && holds(lane)) {
        result.push_back(lane);
      }
    }
    return result;
  }

  /// Whether the lane is an agent for copies. No barrier waits for it.
  [[nodiscard]] bool is_agent(std::uint32_t lane) const {
    return machine_.setup().grid.is_agent(machine_.places().lanes[lane].warp);
  }

  /// Whether the lane is an agent for copies that only asks whether there is one. All lanes that
  /// are left wait then, and none of them hands it a copy.
  [[nodiscard]] bool has_nothing_to_copy(std::uint32_t lane) const {
    if (!is_agent(lane)) return false;
    const simt::operation& op = machine_.waits_at(trace_.last, lane);
    const auto asks = [](const simt::operation& o) {
      return o.kind == operation_kind::memory && o.memory == memory_kind::load;
    };
    if (!trace_.has_cycle()) return asks(op) && op.compare == simt::detail::asks_for_the_end;
    for (std::size_t i = trace_.cycle_begin; i < trace_.steps.size(); ++i) {
      for (const lane_action& a : trace_.steps[i].actions) {
        if (a.lane == lane && (!asks(a.op) || a.op.address != op.address)) return false;
      }
    }
    return asks(op);
  }

  lane_wait standing(std::uint32_t lane) {
    const lane_position& at = trace_.last_positions[lane];
    const auto& places = machine_.places().lanes;
    lane_wait wait;
    const simt::operation op = machine_.waits_at(trace_.last, lane);
    wait.at = named_.place(op.pc);
    wait.operation = operation_name(op, named_);
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
        // The lanes that run, and those that have yet to run in this frame and in the frames above
        // it.
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
    if (meets_others(op.kind)) {
      wait.what = op.kind == operation_kind::barrier ? kind::barrier : kind::collective;
      add_exited(lane, op, wait);
      if (wait.what == kind::barrier && is_half(op.barrier)) {
        add_halves(lane, wait);
        return wait;
      }
      if (wait.what == kind::barrier && !is_joint(op.barrier)) {
        add_arrivals(places[lane].block, op, wait);
      } else if (wait.what == kind::barrier && op.barrier != simt::barrier_part::syncthreads) {
        add_blocks_there(op, wait);
      }
      wait.waits_for = lanes_where([&](std::uint32_t other) {
        const simt::operation& its = machine_.waits_at(trace_.last, other);
        // A warp arrives when all its lanes are there.
        if (op.kind == operation_kind::barrier && op.barrier == simt::barrier_part::arrive) {
          return places[other].warp == places[lane].warp && its.pc != op.pc;
        }
        if (op.kind == operation_kind::barrier) {
          return !is_agent(other) && meets(op, places[lane].block, places[other].block) &&
                 (its.kind != op.kind || its.barrier != op.barrier || its.number != op.number);
        }
        return places[other].warp == places[lane].warp &&
               (op.mask >> places[other].index & 1U) != 0 &&
               (its.kind != op.kind || its.collective != op.collective || its.mask != op.mask);
      });
      return wait;
    }
    if (op.kind == operation_kind::endless) {
      wait.what = kind::endless;
      return wait;
    }
    wait.waits_for = lanes_where([&](std::uint32_t other) {
      return op.kind == operation_kind::branch && places[other].warp == places[lane].warp &&
             trace_.last_positions[other].what == lane_position::kind::running &&
             machine_.waits_at(trace_.last, other).kind == operation_kind::endless;
    });
    wait.what = wait.waits_for.empty() ? kind::ready : kind::lockstep;
    return wait;
  }

  /// Whether the barrier is for both blocks.
  [[nodiscard]] bool meets(const simt::operation& op, std::uint32_t block,
                           std::uint32_t other) const {
    if (op.barrier == simt::barrier_part::grid) return true;
    if (op.barrier != simt::barrier_part::cluster) return block == other;
    return machine_.setup().grid.share_cluster(block, other);
  }

  /// Adds the lanes that have exited and would otherwise come to the barrier or collective. For a
  /// barrier of the grid, add_blocks_there tells of blocks.
  void add_exited(std::uint32_t lane, const simt::operation& op, lane_wait& wait) const {
    if (op.kind == operation_kind::barrier && op.barrier == simt::barrier_part::grid) return;
    const auto& places = machine_.places().lanes;
    wait.counts_exited =
        op.kind == operation_kind::barrier && !is_half(op.barrier) && !is_joint(op.barrier);
    for (std::uint32_t other = 0; other < places.size(); ++other) {
      if (trace_.last[other] != simt::exited || is_agent(other)) continue;
      const bool concerns = op.kind == operation_kind::barrier
                                ? meets(op, places[lane].block, places[other].block)
                                : places[other].warp == places[lane].warp &&
                                      (op.mask >> places[other].index & 1U) != 0;
      if (concerns) wait.exited.push_back(other);
    }
  }

  /// Adds "1 of 2 blocks wait at grid_sync; block 1 has ended, and is waited for".
  void add_blocks_there(const simt::operation& op, lane_wait& wait) const {
    const auto& lanes = machine_.places().lanes;
    const std::uint32_t blocks = machine_.setup().grid.blocks;
    std::vector<char> waits(blocks, 1), lives(blocks, 0);
    for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
      if (trace_.last[lane] == simt::exited || is_agent(lane)) continue;
      const simt::operation& its = machine_.waits_at(trace_.last, lane);
      lives[lanes[lane].block] = 1;
      if (its.kind != op.kind || its.barrier != op.barrier) waits[lanes[lane].block] = 0;
    }
    std::uint32_t there = 0;
    std::vector<std::uint32_t> ended;
    for (std::uint32_t b = 0; b < blocks; ++b) {
      if (lives[b] == 0) {
        ended.push_back(b);
      } else if (waits[b] != 0) {
        ++there;
      }
    }
    const bool of_grid = op.barrier == simt::barrier_part::grid;
    wait.arrivals = fmt::format("all lanes of {} of {} blocks wait at {}", there, blocks,
                                operation_name(op, named_));
    if (!of_grid || ended.empty()) return;
    wait.arrivals +=
        fmt::format("; {} {} ended, and {} waited for all the same", counted_blocks(ended),
                    ended.size() == 1 ? "has" : "have", ended.size() == 1 ? "is" : "are");
  }

  /// Adds "2 of 3 lanes of the cluster have arrived".
  void add_halves(std::uint32_t lane, lane_wait& wait) const {
    const auto& lanes = machine_.places().lanes;
    const std::vector<std::uint8_t>& halves = machine_.status(trace_.last).halves;
    const auto shares = [&](std::uint32_t other) {
      return !is_agent(other) &&
             machine_.setup().grid.share_cluster(lanes[lane].block, lanes[other].block);
    };
    const auto is_there = [&](std::uint32_t other) {
      const simt::operation& its = machine_.waits_at(trace_.last, other);
      return (!halves.empty() && halves[other] == simt::grid_status::has_arrived) ||
             (its.kind == operation_kind::barrier && its.barrier == simt::barrier_part::cluster);
    };
    const auto all = lanes_where(shares);
    wait.waits_for =
        lanes_where([&](std::uint32_t other) { return shares(other) && !is_there(other); });
    wait.arrivals = fmt::format("{} of {} lanes of the cluster have arrived",
                                all.size() - wait.waits_for.size(), all.size());
  }

  static std::string counted_blocks(const std::vector<std::uint32_t>& blocks) {
    return fmt::format("block{} {}", blocks.size() == 1 ? "" : "s", fmt::join(blocks, ", "));
  }

  void add_arrivals(std::uint32_t block, const simt::operation& op, lane_wait& wait) {
    std::uint32_t arrived = 0;
    for (const auto& barrier : machine_.status(trace_.last).barriers) {
      if (barrier.block == block && barrier.id == op.number) arrived = barrier.arrived;
    }
    wait.arrivals =
        fmt::format("{} of {} warps have arrived at barrier {}", arrived, op.count, op.number);
    std::uint32_t count = 0;
    for (const trace_step& step : trace_.steps) {
      // Where the barrier diverges, the arrival is not carried out.
      const bool diverges = step.ends != simt::ending::none ||
                            (trace_.here != simt::ending::none && &step == &trace_.steps.back());
      if (step.actions.empty() || diverges) continue;
      const lane_action& a = step.actions.front();
      const bool arrives = a.op.kind == operation_kind::barrier &&
                           a.op.barrier == simt::barrier_part::arrive && a.op.number == op.number &&
                           machine_.places().lanes[a.lane].block == block;
      if (!arrives || ++count < a.op.count) continue;
      count = 0;
      std::vector<std::uint32_t> lanes;
      for (const lane_action& each : step.actions) lanes.push_back(each.lane);
      wait.completed = fmt::format(
          "{} completed barrier {} before, in step {} {}; who comes after that waits for {} warps "
          "anew",
          named_.lanes(lanes), op.number, step.number, a.at.aside(), op.count);
    }
  }

  /// Returns values that the location had in the run. They come first, before all other values.
  std::set<std::uint64_t> values_in_run(std::uint64_t address) const {
    std::set<std::uint64_t> values;
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
    lane_future::loop loop;
    std::map<simt::continuation, const lane_action*> reads;
    std::set<std::uint64_t> locations;
    for (std::size_t i = trace_.cycle_begin; i < trace_.steps.size(); ++i) {
      const trace_step& step = trace_.steps[i];
      if (const auto c = future_.at_rest(lane, step.before[lane])) loop.inside.insert(*c);
      for (const lane_action& a : step.actions) {
        if (a.lane != lane) continue;
        loop.places.insert(a.op.pc);
        if (!a.reads()) continue;
        reads.emplace(a.from, &a);
        locations.insert(a.op.address);
      }
    }
    loop.reads_one = locations.size() == 1;
    // A lane that reads more locations waits for all of them, or its loop does something else.
    constexpr std::size_t most_with_constants = 4;
    const bool is_simple = locations.size() <= most_with_constants;
    for (const auto& [from, action] : reads) {
      condition c = condition_at(lane, loop, from, *action, is_simple);
      // One location that decides is an explanation. Other locations that are read are detail.
      if (!c.leaves.empty()) return c;
    }
    return std::nullopt;
  }

  /// Returns the condition of a lane. Lanes at the same place in the same loop wait for the same.
  condition condition_at(std::uint32_t lane, const lane_future::loop& loop, simt::continuation from,
                         const lane_action& read, bool with_constants) {
    const auto known = shared_.find({from, loop});
    if (known != shared_.end()) return known->second;
    const simt::operation& op = read.op;
    condition c(op.size, named_.type(op.address).what);
    c.address = op.address;
    c.at = read.at;
    const std::uint64_t few = std::min<std::uint64_t>(run_.setup().grid.threads(), 64) + 2;
    // Lanes at one place that hold different values ask the same about them, so a few are enough.
    constexpr int most_full = 8;
    const bool is_full = with_constants && asked_at_[op.pc]++ < most_full;
    const auto how = is_full ? condition::effort::full : condition::effort::least;
    future_.has_asked_for_place();
    c.try_values(
        values_in_run(op.address), few,
        [this, lane, loop, from](std::uint64_t value) {
          return future_.gets_out(lane, trace_.last, loop, from, value);
        },
        with_constants ? candidates(from, op, how) : std::vector<std::uint64_t>(), how);
    c.cut_short = future_.is_out_of_tries();
    for (const std::uint64_t value : some_of(c)) future_.learn(lane, from, value);
    if (!future_.has_asked_for_place()) shared_.emplace(std::pair(from, loop), c);
    return c;
  }

  /// Returns values that the lane may compare with what it reads.
  std::vector<std::uint64_t> candidates(simt::continuation from, const simt::operation& op,
                                        condition::effort how) {
    constexpr std::size_t some = 8;
    const auto [at, is_new] = constants_.try_emplace(op.pc);
    if (is_new) at->second = constants_near(*run_.setup().library, op.pc);
    std::vector<std::uint64_t> all = at->second;
    std::vector<std::uint64_t> own = locals_.at(from, op.size);
    if (how == condition::effort::least) {
      all.resize(std::min(all.size(), some));
      own.resize(std::min(own.size(), some));
    }
    all.insert(all.end(), own.begin(), own.end());
    if (how == condition::effort::least) return all;
    const std::vector<std::uint64_t> seen = future_.values_at(op.address);
    all.insert(all.end(), seen.begin(), seen.end());
    return all;
  }

  /// Returns the values with which find_write() continues from a read. Values that let the lane go
  /// lead to what it does after its loop.
  static std::vector<std::uint64_t> some_of(const condition& c) {
    constexpr std::uint64_t small = 64;
    constexpr std::size_t most = 8;
    std::vector<std::uint64_t> some;
    for (const auto* values : {&c.leaves, &c.stays}) {
      std::size_t large = 0;
      for (const std::uint64_t value : *values) {
        if (value < small || large++ < most) some.push_back(value);
      }
    }
    return some;
  }

  std::string until(const condition& c) {
    return fmt::format("`{}` {}", named_.variable(c.address), c.text([&](std::uint64_t value) {
      return named_.value_at(c.address, value, c.size);
    }));
  }

  void explain_spin(std::uint32_t lane, std::vector<lane_wait>& waits) {
    lane_wait& wait = waits[lane];
    auto& c = conditions_[lane];
    if (!c) return;
    wait.at = c->at;
    wait.variable = named_.variable(c->address);
    wait.until = said_[lane];
    wait.change = "set it so";
    if (c->stays.size() == 1) wait.change = "change it";
    if (c->leaves.size() == 1) {
      wait.change =
          fmt::format("set it to {}", named_.value_at(c->address, *c->leaves.begin(), c->size));
    }
    // Lanes that would write, but first wait for the same.
    std::vector<std::uint32_t> behind_the_same;
    const auto may_write = [&](std::uint32_t l) {
      return l != lane && waits[l].what != kind::finished;
    };
    for (const std::uint32_t other : lanes_where(may_write)) {
      // Lanes that wait for the same ask the same.
      const auto [asked, is_new] = writes_.try_emplace({said_[lane], other});
      if (is_new) {
        asked->second = future_.find_write(other, trace_.last, c->address,
                                           [&c](std::uint64_t v) { return c->lets_go(v); });
      }
      const std::optional<simt::operation>& found = asked->second;
      if (!found) continue;
      if (said_[other] == said_[lane]) {
        behind_the_same.push_back(other);
        continue;
      }
      wait.waits_for.push_back(other);
      if (!wait.writer_at.known()) wait.writer_at = named_.place(found->pc);
    }
    if (!wait.waits_for.empty()) return;
    if (future_.gave_up()) {
      wait.change.clear();
      return;
    }
    for (const trace_step& step : trace_.steps) {
      for (const lane_action& a : step.actions) {
        if (!a.op.writes() || !a.valid || a.op.address != c->address || a.lane == lane) continue;
        if (a.new_value == a.old_value) continue;
        const bool gone = trace_.last[a.lane] == simt::exited;
        const bool copies = is_agent(a.lane);
        wait.last_writer =
            fmt::format("{} set it to {} last{}{}{}", named_.lane(a.lane),
                        named_.value_at(a.op.address, a.new_value, a.op.size), copies ? "" : " ",
                        copies ? std::string() : a.at.aside(), gone ? " and has exited" : "");
      }
    }
  }
};

}  // namespace

std::vector<lane_wait> waits_of(session& run, names& named, const trace& t) {
  return analysis(run, named, t).run();
}

}  // namespace warpcheck
