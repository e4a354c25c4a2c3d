// Reads lanes, memory, messages, barriers and the stacks of warps from the states of an execution.
#include "checker/report/moment/moment.hpp"

#include <bit>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "checker/report/describe.hpp"

namespace warpcheck {
namespace {

using simt::operation_kind;

class reader {
 public:
  reader(session& run, names& named, simt::state_view state,
         const std::vector<lane_position>& positions)
      : run_(run),
        named_(named),
        machine_(run.machine()),
        state_(state),
        positions_(positions),
        places_(run.machine().places()) {}

  moment read(const std::vector<watched_location>& locations) {
    moment now;
    for (std::uint32_t lane = 0; lane < positions_.size(); ++lane) {
      now.lanes.push_back(standing(lane));
    }
    read_memory(locations, now);
    add_waiting_lanes(now);
    add_numbered_barriers(now);
    if (machine_.has_stacks()) add_stacks(now);
    return now;
  }

 private:
  session& run_;
  names& named_;
  simt::machine& machine_;
  simt::state_view state_;
  const std::vector<lane_position>& positions_;
  const simt::grid_places& places_;

  [[nodiscard]] bool has_exited(std::uint32_t lane) const {
    return positions_[lane].what == lane_position::kind::exited;
  }

  moment::standing standing(std::uint32_t lane) {
    const lane_position& position = positions_[lane];
    moment::standing one{position.what, position.resumes_at, {}};
    if (has_exited(lane) || position.what != lane_position::kind::running) return one;
    const simt::operation& op = machine_.waits_at(state_, lane);
    one.at = named_.place(op.pc);
    one.operation = operation_name(op, named_);
    return one;
  }

  void read_memory(const std::vector<watched_location>& locations, moment& now) {
    const auto image = machine_.image(state_);
    const auto text = [&](const watched_location& at, std::uint64_t value) {
      return named_.value_at(at.address, value, at.size);
    };
    for (const watched_location& at : locations) {
      std::uint64_t value = 0;
      std::memcpy(&value, image.data() + at.offset, at.size);
      now.memory.push_back(text(at, value));
      if (!machine_.traits_of_memory().has_stale_steps) continue;
      const auto stored = machine_.stored_at(state_, at.offset, at.size);
      if (stored.size() < 2) continue;
      const auto readers = machine_.readers_at(state_, at.offset);
      moment::messages all{now.memory.size() - 1, {}};
      for (std::size_t m = 0; m < stored.size(); ++m) {
        all.stored.push_back({text(at, stored[m].value), stored[m].promised, readers[m]});
      }
      now.readable.push_back(std::move(all));
    }
  }

  /// Adds lanes that wait for each other at a syncthreads, or at a collective of their warp.
  void add_waiting_lanes(moment& now) {
    // How many have arrived, by block or warp, place and mask.
    std::map<std::tuple<bool, std::uint32_t, std::uint64_t, std::uint32_t>, moment::barrier> all;
    for (std::uint32_t lane = 0; lane < positions_.size(); ++lane) {
      if (positions_[lane].what != lane_position::kind::running) continue;
      const simt::operation& op = machine_.waits_at(state_, lane);
      const bool in_warp = op.kind == operation_kind::collective;
      const bool in_block =
          op.kind == operation_kind::barrier && op.barrier == simt::barrier_part::syncthreads;
      if (!in_warp && !in_block) continue;
      const simt::place& at = places_.lanes[lane];
      moment::barrier& one =
          all[{in_warp, in_warp ? at.warp : at.block, op.pc, in_warp ? op.mask : 0}];
      if (one.arrived++ != 0) continue;
      one.unit = "lanes";
      one.name = fmt::format("{} at {}", operation_name(op, named_), named_.place(op.pc).text());
      if (in_warp) {
        one.name +=
            fmt::format(", mask {:#x}, of {}", op.mask, simt::warp_name(at.warp, places_.shape));
        one.expected = static_cast<std::uint32_t>(std::popcount(op.mask));
      } else {
        if (places_.shape.blocks > 1) one.name += fmt::format(" of b{}", at.block);
        for (std::uint32_t other = 0; other < positions_.size(); ++other) {
          if (places_.lanes[other].block == at.block && !has_exited(other)) ++one.expected;
        }
      }
    }
    for (auto& [key, one] : all) now.barriers.push_back(std::move(one));
  }

  /// Adds barriers of clusters that are called in two halves.
  void add_halves(moment& now) {
    const std::vector<std::uint8_t>& halves = machine_.status(state_).halves;
    if (halves.empty()) return;
    for (std::uint32_t first = 0; first < places_.shape.blocks; first += places_.shape.cluster) {
      moment::barrier one{fmt::format("cluster barrier from b{} on", first), 0, 0, "lanes"};
      for (std::uint32_t lane = 0; lane < positions_.size(); ++lane) {
        if (!places_.shape.share_cluster(places_.lanes[lane].block, first)) continue;
        if (has_exited(lane)) continue;
        ++one.expected;
        if (halves[lane] == simt::grid_status::has_arrived) ++one.arrived;
      }
      if (one.arrived != 0) now.barriers.push_back(std::move(one));
    }
  }

  void add_numbered_barriers(moment& now) {
    add_halves(now);
    for (const auto& b : machine_.status(state_).barriers) {
      const std::string of = places_.shape.blocks > 1 ? fmt::format(" of b{}", b.block) : "";
      now.barriers.push_back(
          {fmt::format("barrier {}{}", b.id, of), b.arrived, b.expected, "warps"});
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> lanes_in(std::uint32_t warp, std::uint32_t mask) const {
    std::vector<std::uint32_t> lanes;
    const simt::warp_place& w = places_.warps[warp];
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      if (simt::in(mask, i)) lanes.push_back(w.first + i);
    }
    return lanes;
  }

  void add_stacks(moment& now) {
    for (std::uint32_t warp = 0; warp < places_.warps.size(); ++warp) {
      for (const simt::warp_frame& f : machine_.stack(state_, warp).frames) {
        moment::frame one{simt::warp_name(warp, places_.shape), {}, lanes_in(warp, f.arrived), {}};
        if (f.block != simt::no_block) one.reconverges = named_.block(f.block);
        for (const std::uint32_t side : f.pending) one.sides.push_back(lanes_in(warp, side));
        now.stack.push_back(std::move(one));
      }
    }
  }
};

}  // namespace

std::vector<watched_location> watched_in(session& run, const trace& t) {
  std::vector<watched_location> all;
  std::set<std::pair<std::uint64_t, std::uint8_t>> known;
  const auto add = [&](const lane_action& a) {
    using simt::detail::memory_kind;
    // A word of a pool is a set of nodes, which says nothing to a reader.
    if (!a.is_access() || a.op.memory == memory_kind::pool_take ||
        a.op.memory == memory_kind::pool_retire) {
      return;
    }
    if (!known.emplace(a.op.address, a.op.size).second) return;
    const simt::allocation* in = run.memory().find(a.op.address, a.op.size);
    if (in == nullptr) return;
    all.push_back({a.variable, a.op.address,
                   static_cast<std::uint32_t>(in->offset + a.op.address - in->address), a.op.size});
  };
  for (const trace_step& step : t.steps) {
    for (const lane_action& a : step.actions) add(a);
    if (step.promise) add(*step.promise);
  }
  return all;
}

moment moment_of(session& run, names& named, simt::state_view state,
                 const std::vector<lane_position>& positions,
                 const std::vector<watched_location>& locations) {
  return reader(run, named, state, positions).read(locations);
}

execution_moments moments_of(session& run, names& named, const trace& t) {
  constexpr std::size_t moments_in_time = 64;  // moments between two looks at the time
  execution_moments all{watched_in(run, t), {}, {}};
  for (const trace_step& step : t.steps) {
    if (all.before.size() % moments_in_time == 0) run.stores().program.give_up_in_time();
    all.before.push_back(moment_of(run, named, step.before, step.positions, all.locations));
  }
  all.last = moment_of(run, named, t.last, t.last_positions, all.locations);
  return all;
}

}  // namespace warpcheck
