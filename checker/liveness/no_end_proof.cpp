// Computes the values of places and the continuations of lanes as a fixed point, in rising fineness
// of groups.
#include "checker/liveness/no_end_proof.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/automaton/components.hpp"
#include "sim/lane/operation_table.hpp"

namespace warpcheck {
namespace {

using simt::barrier_part;
using simt::continuation;
using simt::exited;
using simt::operation;
using simt::operation_kind;
using simt::operation_traits;
using what = simt::operation_traits::kind;

// Limits far below what the machine allows: values of one place in memory, and stops of one lane in
// a row without a visible operation.
constexpr std::size_t value_limit = 2'048;
constexpr std::size_t unbounded_value_limit = 64;  // if lanes may change the place for ever
constexpr std::uint32_t unseen_limit = 1'000;
// Limit of lane_automaton::merging_work() for all that is asked under answers::known.
constexpr std::uint64_t most_asking_work = 262'144;

std::uint64_t key(std::uint32_t group, continuation at) { return std::uint64_t{group} << 32 | at; }

template <class Time>
bool is_earlier(const Time& a, const Time& b) {  // in some class
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] < b[i]) return true;
  }
  return false;
}

template <class Time>
Time earliest(Time a, const Time& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::min(a[i], b[i]);
  return a;
}

template <class Time>
Time latest(Time a, const Time& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::max(a[i], b[i]);
  return a;
}

std::uint32_t add(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t sum = std::uint64_t{a} + b;
  return sum < 0xffffffff ? static_cast<std::uint32_t>(sum) : 0xffffffff;
}

}  // namespace

bool no_end_proof::proves(simt::state_view state) {
  state_ = state;
  steps_ = asked_ = 0;
  fineness how = fineness::continuations;
  for (;;) {
    const outcome result = attempt(how);
    if (result != outcome::too_coarse) return result == outcome::proved;
    if (needed_ <= how) return false;
    how = needed_;
  }
}

void no_end_proof::begin(fineness how) {
  how_ = how;
  outcome_ = outcome::open;
  places_.clear();
  bound_ = {};
  late_ = {};
  nodes_.clear();
  node_of_.clear();
  open_.clear();
  gathered_.clear();
  group_of_.clear();
  dispatched_ = false;
  if (!lanes_.read(machine_, state_, how)) {
    give_up();
    return;
  }
  reach_.assign(lanes_.groups.size(), {});
  gate_open_.assign(lanes_.gates.size(), 0);
  at_gate_.assign(lanes_.gates.size(), {});
  collective_.assign(lanes_.units.size(), std::nullopt);
  barrier_.assign(lanes_.units.size(), std::nullopt);
  staying_ = static_cast<std::uint32_t>(lanes_.groups.size());
  if (staying_ == 0) give_up();  // all lanes have exited
  for (std::uint32_t group = 0; group < lanes_.groups.size(); ++group) {
    if (lanes_.units[lanes_.groups[group].unit].resident) start(group);
  }
}

no_end_proof::outcome no_end_proof::attempt(fineness how) {
  begin(how);
  while (outcome_ == outcome::open) {
    if (!open_.empty()) {
      const std::uint32_t number = open_.back();
      open_.pop_back();
      nodes_[number].queued = false;
      visit(number);
      if (steps_ > limit_) give_up();
    } else if (!some_stay()) {
      give_up();
    } else if (!open_gates() && !gather() && !dispatch() && !raise_bounds()) {
      break;
    }
  }
  if (outcome_ == outcome::open && (runs_unseen() || may_race())) give_up();
  return outcome_ == outcome::open ? outcome::proved : outcome_;
}

// --- continuations that lanes may come to ---

void no_end_proof::start(std::uint32_t group) {
  const lane_group& g = lanes_.groups[group];
  const lane_unit& unit = lanes_.units[g.unit];
  // Under `stack`, lanes may stand at a barrier now, all of their warp together. They may not come
  // to a barrier later: see add_node.
  const operation& op = machine_.program().at(g.start);
  if (machine_.has_stacks() && op.kind == operation_kind::barrier) {
    if (unit.is_parted) return give_up();
    for (std::uint32_t other = unit.first_group; other < unit.first_group + unit.groups; ++other) {
      if (machine_.program().at(lanes_.groups[other].start).kind != operation_kind::barrier) {
        return give_up();
      }
    }
  }
  reach_[group].start = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({g.start, group, {}});
  node_of_.emplace(key(group, g.start), reach_[group].start);
  open_.push_back(reach_[group].start);
}

void no_end_proof::add_node(std::uint32_t group, continuation at, const time& since) {
  if (machine_.has_stacks() && machine_.lanes().traits(at).what == what::barrier) return give_up();
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  const auto [known, is_new] = node_of_.try_emplace(key(group, at), number);
  if (is_new) {
    nodes_.push_back({at, group, since});
    open_.push_back(number);
  } else if (is_earlier(since, nodes_[known->second].since)) {
    nodes_[known->second].since = earliest(since, nodes_[known->second].since);
    nodes_[known->second].done = 0;
    queue(known->second);
  }
}

void no_end_proof::queue(std::uint32_t number) {
  if (nodes_[number].queued) return;
  nodes_[number].queued = true;
  open_.push_back(number);
}

// Lets lanes leave the node, by the answer 0.
void no_end_proof::pass(std::uint32_t number) {
  nodes_[number].passed = true;
  const std::uint32_t group = nodes_[number].group;
  const time since = nodes_[number].since;
  if (const auto to = next(nodes_[number].at, 0)) add_node(group, *to, since);
}

void no_end_proof::visit_choose(std::uint32_t number) {
  const continuation at = nodes_[number].at;
  const std::uint32_t group = nodes_[number].group;
  const time since = nodes_[number].since;
  const std::uint32_t count = machine_.program().at(at).count;
  for (std::uint32_t value = 0; value < count && outcome_ == outcome::open; ++value) {
    if (const auto to = next(at, value)) add_node(group, *to, since);
  }
}

std::optional<continuation> no_end_proof::next(continuation from, std::uint64_t answer) {
  ++steps_;
  // Answers that were only tried are in no footprint, as steps may have run ahead of them.
  const auto known = machine_.program().given(from, answer);
  if (known) return known;
  // What lanes never do may be large. So only so much of it is tried, for one proof and in all.
  const std::size_t lanes = machine_.places().lanes.size();
  const bool may_ask = use_ == answers::known
                           ? asked_in_all_ < may_ask_ && asking_work_ < most_asking_work
                           : asked_ < 64 + 8 * lanes && asked_in_all_ < 4'096 + 64 * lanes;
  if (may_ask) {
    ++asked_;
    ++asked_in_all_;
    const std::uint64_t before = machine_.program().merging_work();
    const continuation to = machine_.program().outcome(from, answer);
    asking_work_ += machine_.program().merging_work() - before;
    return to;
  }
  give_up();
  return std::nullopt;
}

void no_end_proof::visit(std::uint32_t number) {
  const continuation at = nodes_[number].at;
  ++steps_;
  switch (machine_.lanes().traits(at).what) {
    case what::exited: {
      if (machine_.program().at(at).kind == operation_kind::fault) return give_up();
      reach& r = reach_[nodes_[number].group];
      if (r.exits) return;
      r.exits = true;
      if (--staying_ == 0 && !some_stay()) give_up();
      return;
    }
    case what::access: return visit_access(number);
    case what::silent: return pass(number);
    case what::choose: return visit_choose(number);
    case what::event:
      // The values that operations return may contradict others.
      return machine_.program().at(at).kind == operation_kind::called ? pass(number) : give_up();
    case what::branch: return visit_branch(number);
    case what::local: return visit_local(number);
    case what::endless: return;
    case what::collective: return visit_collective(number);
    case what::barrier: return visit_barrier(number);
    case what::bad_access:
    case what::fail: break;
  }
  give_up();
}

void no_end_proof::visit_access(std::uint32_t number) {
  const continuation at = nodes_[number].at;
  const std::uint32_t group = nodes_[number].group;
  const operation_traits t = machine_.lanes().traits(at);
  // The proof does not follow whether a node of a pool is in use.
  using simt::detail::memory_kind;
  const memory_kind kind = machine_.program().at(at).memory;
  if (t.node != simt::no_node || kind == memory_kind::pool_take) return give_up();
  // Nor what copies see of proxies.
  if (tells_marks(machine_.program().at(at))) return give_up();
  // Nor whether an mbarrier is there.
  if (t.mbarrier.bit != 0 && t.use_of_mbarrier != simt::mbarrier_use::of_life) return give_up();
  // What is written stays written.
  if (t.needs_value && !t.written.any_in(machine_.image(state_))) return give_up();
  if (nodes_[number].place == none) {
    for (const std::uint32_t lane : lanes_.groups[group].lanes) {
      const bool owned =
          t.block == simt::no_block || t.block == machine_.places().lanes[lane].block;
      if (!owned) return give_up();
    }
    const std::uint32_t place = place_of(t);
    if (place == none) return give_up();
    nodes_[number].place = place;
    places_[place].users.push_back(number);
  }
  const std::uint32_t p = nodes_[number].place;
  while (outcome_ == outcome::open && nodes_[number].done < places_[p].values.size()) {
    const value old = places_[p].values[nodes_[number].done++];
    const operation& op = machine_.program().at(at);
    const std::uint64_t bits = simt::apply(op, old.bits);
    const std::uint64_t answer = simt::answer(op, old.bits);
    time since = latest(nodes_[number].since, old.since);
    if (bits != old.bits) {
      if (is_late(number, old)) {
        late_[p % clocks] = true;
        continue;
      }
      since[p % clocks] = add(since[p % clocks], 1);
      add_value(p, bits, since);
    }
    if (const auto to = next(at, answer)) add_node(group, *to, since);
  }
}

void no_end_proof::visit_branch(std::uint32_t number) {
  if (!machine_.has_stacks()) return pass(number);
  const std::uint32_t group = nodes_[number].group;
  const std::uint32_t target = machine_.program().at(nodes_[number].at).target;
  auto& blocks = reach_[group].blocks;
  if (std::ranges::find(blocks, target) == blocks.end()) blocks.push_back(target);

  const lane_team& team = lanes_.teams[lanes_.groups[group].team];
  std::uint32_t gate = none;
  if (number == reach_[group].start && team.starts_with) {
    gate = *team.starts_with;
  } else {
    const auto entry = std::ranges::find(team.entries, target, &lane_team::entry::block);
    if (entry != team.entries.end()) gate = entry->gate;
  }
  if (gate == none || gate_open_[gate] != 0) {
    pass(number);
  } else if (!nodes_[number].waits) {
    nodes_[number].waits = true;
    at_gate_[gate].push_back(number);
  }
}

void no_end_proof::visit_local(std::uint32_t number) {
  const continuation at = nodes_[number].at;
  const std::uint32_t group = nodes_[number].group;
  if (use_ == answers::any) machine_.lanes().learn_local(at);
  std::optional<continuation> to;
  for (const std::uint32_t lane : lanes_.groups[group].lanes) {
    ++steps_;
    const auto here = machine_.lanes().known_local(lane, at);
    if (!here) return give_up();
    if (to && *to != *here) return need(fineness::lanes);
    to = here;
  }
  const time since = nodes_[number].since;
  add_node(group, *to, since);
}

// --- lanes that wait for each other ---

void no_end_proof::visit_collective(std::uint32_t number) {
  if (nodes_[number].passed) return pass(number);
  if (nodes_[number].waits) return;
  using simt::detail::collective_kind;
  const operation op = machine_.program().at(nodes_[number].at);
  if (machine_.has_stacks()) {
    return op.collective == collective_kind::syncwarp ? pass(number) : give_up();
  }
  if (op.collective == collective_kind::activemask) return give_up();
  if (how_ == fineness::continuations) return need(fineness::warps);
  const lane_group& g = lanes_.groups[nodes_[number].group];
  const lane_unit& unit = lanes_.units[g.unit];
  const std::uint32_t full = machine_.places().warps[unit.warps.front()].full_mask();
  if ((op.mask & full) != full) {
    if (how_ != fineness::lanes) return need(fineness::lanes);
    const std::uint32_t index = machine_.places().lanes[g.lanes.front()].index;
    if (!simt::in(op.mask & full, index)) return give_up();  // divergence, rule 1
  }
  auto& one = collective_[g.unit];
  if (!one) one = op;
  if (one->collective != op.collective || (one->mask & full) != (op.mask & full)) {
    return give_up();  // divergence, rule 2, might hold
  }
  reach_[nodes_[number].group].collective = true;
  nodes_[number].waits = true;
  gathered_.push_back(number);
}

void no_end_proof::visit_barrier(std::uint32_t number) {
  if (nodes_[number].passed) return pass(number);
  if (nodes_[number].waits) return;
  const operation op = machine_.program().at(nodes_[number].at);
  if (op.barrier != barrier_part::syncthreads) return give_up();
  if ((op.mask & simt::detail::barrier_reduces) != 0) return give_up();
  if (how_ == fineness::continuations && !machine_.has_stacks()) return need(fineness::warps);
  auto& one = barrier_[lanes_.groups[nodes_[number].group].unit];
  if (!one) one = op;
  if (one->pc != op.pc || one->number != op.number || one->count != op.count) {
    return give_up();  // divergence, rule 4, might hold
  }
  reach_[nodes_[number].group].barrier = true;
  nodes_[number].waits = true;
  gathered_.push_back(number);
}

bool no_end_proof::gather() {
  bool news = false;
  for (const std::uint32_t number : gathered_) {
    if (nodes_[number].passed) continue;
    const lane_unit& unit = lanes_.units[lanes_.groups[nodes_[number].group].unit];
    const operation op = machine_.program().at(nodes_[number].at);
    bool passes = false;
    if (op.kind == operation_kind::collective) {
      passes = all_at_collective(unit, op.mask);
      if (passes && op.collective != simt::detail::collective_kind::syncwarp) give_up();
    } else {
      for (const std::uint32_t warp : unit.warps) {
        passes = passes || all_at_barrier(machine_.places().warps[warp].block);
      }
    }
    if (!passes) continue;
    pass(number);
    news = true;
  }
  return news;
}

bool no_end_proof::all_at_collective(const lane_unit& unit, std::uint32_t mask) {
  const auto members = [&](const lane_group& g) {
    return std::ranges::count_if(g.lanes, [&](std::uint32_t lane) {
      return simt::in(mask, machine_.places().lanes[lane].index);
    });
  };
  for (std::uint32_t g = unit.first_group; g < unit.first_group + unit.groups; ++g) {
    if (!reach_[g].collective && !reach_[g].exits && members(lanes_.groups[g]) > 0) return false;
  }
  return !is_contended(
      [&](const lane_group& g) {
        return &lanes_.units[g.unit] == &unit
                   ? static_cast<std::size_t>(members(g)) / unit.warps.size()
                   : 0;
      },
      [&](const node& n) {
        const operation_kind kind = machine_.program().at(n.at).kind;
        return kind == operation_kind::exited || kind == operation_kind::collective;
      });
}

bool no_end_proof::all_at_barrier(std::uint32_t block) {
  const std::uint32_t threads = machine_.setup().grid.block_threads();
  for (std::uint32_t lane = block * threads; lane < (block + 1) * threads; ++lane) {
    if (state_[lane] == exited) continue;
    const reach& r = reach_[group_of(lane)];
    if (!r.barrier && !r.exits) return false;
  }
  return !is_contended(
      [&](const lane_group& g) {
        return static_cast<std::size_t>(std::ranges::count_if(g.lanes, [&](std::uint32_t lane) {
          return machine_.places().lanes[lane].block == block;
        }));
      },
      [&](const node& n) {
        const operation_kind kind = machine_.program().at(n.at).kind;
        return kind == operation_kind::exited || kind == operation_kind::barrier;
      });
}

std::uint32_t no_end_proof::group_of(std::uint32_t lane) {
  if (group_of_.empty()) {
    group_of_.assign(machine_.places().lanes.size(), none);
    for (std::uint32_t g = 0; g < lanes_.groups.size(); ++g) {
      for (const std::uint32_t l : lanes_.groups[g].lanes) group_of_[l] = g;
    }
  }
  return group_of_[lane];
}

bool no_end_proof::may_open(const lane_gate& gate) {
  const lane_unit& unit = lanes_.units[gate.unit];
  const auto is_needed = [&](const lane_group& g) {
    return g.unit == gate.unit &&
           (gate.team == lane_gate::any_team ? g.level >= gate.level : g.team == gate.team);
  };
  for (std::uint32_t g = unit.first_group; g < unit.first_group + unit.groups; ++g) {
    if (!is_needed(lanes_.groups[g]) || reach_[g].exits) continue;
    if (std::ranges::find(reach_[g].blocks, gate.block) == reach_[g].blocks.end()) return false;
  }
  // All warps of the unit have equally many lanes in the set.
  return !is_contended(
      [&](const lane_group& g) { return is_needed(g) ? g.lanes.size() / unit.warps.size() : 0; },
      [&](const node& n) {
        const operation& op = machine_.program().at(n.at);
        return op.kind == operation_kind::exited ||
               (op.kind == operation_kind::branch && op.target == gate.block);
      });
}

bool no_end_proof::open_gates() {
  bool news = false;
  for (std::uint32_t gate = 0; gate < gate_open_.size(); ++gate) {
    if (gate_open_[gate] != 0 || at_gate_[gate].empty() || !may_open(lanes_.gates[gate])) continue;
    gate_open_[gate] = 1;
    for (const std::uint32_t number : at_gate_[gate]) pass(number);
    news = true;
  }
  return news;
}

// Starts blocks that wait for a place: they get one when a block ends, or now.
bool no_end_proof::dispatch() {
  if (dispatched_) return false;
  const simt::grid_status& status = machine_.status(state_);
  const std::uint32_t threads = machine_.setup().grid.block_threads();
  std::uint32_t waiting = 0;
  std::uint32_t running = 0;
  bool may_end = false;
  for (std::uint32_t b = 0; b < status.started.size(); ++b) {
    if (status.started[b] == 0) {
      ++waiting;
      continue;
    }
    bool runs = false;
    bool ends = true;
    for (std::uint32_t lane = b * threads; lane < (b + 1) * threads; ++lane) {
      if (state_[lane] == exited) continue;
      runs = true;
      ends = ends && reach_[group_of(lane)].exits;
    }
    if (runs) ++running;
    may_end = may_end || (runs && ends);
  }
  if (waiting == 0 || (running >= machine_.setup().model.resident && !may_end)) return false;
  dispatched_ = true;
  for (std::uint32_t group = 0; group < lanes_.groups.size(); ++group) {
    if (!lanes_.units[lanes_.groups[group].unit].resident) start(group);
  }
  return true;
}

// --- what memory may hold ---

// Returns the number of the place, or `none` if the place overlaps another one.
std::uint32_t no_end_proof::place_of(const operation_traits& t) {
  for (std::uint32_t p = 0; p < places_.size(); ++p) {
    const place& other = places_[p];
    if (other.offset == t.offset && other.size == t.size) return p;
    if (other.offset < t.offset + t.size && t.offset < other.offset + other.size) return none;
  }
  place& fresh = places_.emplace_back();
  fresh.offset = t.offset;
  fresh.size = t.size;
  std::uint64_t now = 0;
  std::memcpy(&now, machine_.image(state_).data() + t.offset, t.size);
  fresh.values.push_back({now, {}});
  return static_cast<std::uint32_t>(places_.size() - 1);
}

// Whether the bound on changes leaves none that could take this value away here.
bool no_end_proof::is_late(std::uint32_t number, const value& old) const {
  const node& n = nodes_[number];
  const std::uint32_t clock = n.place % clocks;
  return std::max(n.since[clock], old.since[clock]) >= bound_[clock] && bound_[clock] != unbounded;
}

void no_end_proof::add_value(std::uint32_t p, std::uint64_t bits, const time& since) {
  place& at = places_[p];
  const std::uint32_t clock = p % clocks;
  const auto known = std::ranges::find(at.values, bits, &value::bits);
  if (known != at.values.end()) {
    if (!is_earlier(since, known->since)) return;
    // What follows from the value is earlier, too.
    known->since = earliest(since, known->since);
    for (const std::uint32_t user : at.users) nodes_[user].done = 0;
  } else {
    const std::size_t limit = bound_[clock] == unbounded ? unbounded_value_limit : value_limit;
    if (at.values.size() == limit) return give_up();
    at.values.push_back({bits, since});
  }
  for (const std::uint32_t user : at.users) queue(user);
}

bool no_end_proof::raise_bounds() {
  bool news = false;
  for (std::uint32_t clock = 0; clock < clocks; ++clock) {
    if (!late_[clock]) continue;
    const std::uint64_t most = std::min<std::uint64_t>(changes(clock), unbounded);
    if (most <= bound_[clock]) continue;
    bound_[clock] = static_cast<std::uint32_t>(most);
    late_[clock] = false;
    for (std::uint32_t p = clock; p < places_.size(); p += clocks) {
      for (const std::uint32_t user : places_[p].users) {
        nodes_[user].done = 0;
        queue(user);
      }
    }
    news = true;
  }
  return news;
}

// Returns how often all lanes together can change places of one class.
std::uint64_t no_end_proof::changes(std::uint32_t clock) const {
  std::vector<std::uint32_t> starts;
  for (const reach& r : reach_) {
    if (r.start != none) starts.push_back(r.start);
  }
  const auto lengths = longest(
      starts, [&](std::uint32_t number, std::vector<edge>& out) { edges_of(number, out); },
      [&](const edge& e) { return e.place != none && e.place % clocks == clock; });
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (lengths[i] == unbounded) return unbounded;
    sum += std::uint64_t{lengths[i]} * lanes_.groups[nodes_[starts[i]].group].lanes.size();
  }
  return sum;
}

// Lists the edges of a node, as far as it has been looked at. A change that comes too late leads to
// `none`.
void no_end_proof::edges_of(std::uint32_t number, std::vector<edge>& out) const {
  const node& n = nodes_[number];
  const auto add_edge = [&](std::optional<continuation> to, std::uint32_t place,
                            std::uint64_t old) {
    if (!to) return;
    const auto known = node_of_.find(key(n.group, *to));  // none: not looked at yet
    if (known != node_of_.end()) out.push_back({known->second, place, old});
  };
  if (n.place != none) {
    const operation& op = machine_.program().at(n.at);
    const auto& values = places_[n.place].values;
    for (std::uint32_t i = 0; i < n.done; ++i) {
      const std::uint64_t old = values[i].bits;
      const std::uint64_t answer = simt::answer(op, old);
      const bool changes = simt::apply(op, old) != old;
      if (changes && is_late(number, values[i])) {
        out.push_back({none, n.place, old});
      } else {
        add_edge(machine_.program().given(n.at, answer), changes ? n.place : none, old);
      }
    }
  } else if (n.passed) {
    add_edge(machine_.program().given(n.at, 0), none, 0);
  } else if (machine_.lanes().traits(n.at).what == what::choose) {
    const std::uint32_t count = machine_.program().at(n.at).count;
    for (std::uint32_t value = 0; value < count; ++value) {
      add_edge(machine_.program().given(n.at, value), none, 0);
    }
  } else if (machine_.lanes().traits(n.at).what == what::local) {
    add_edge(machine_.lanes().known_local(lanes_.groups[n.group].lanes.front(), n.at), none, 0);
  }
}

// For each start, returns the largest number of counted edges on any path from there, or
// `unbounded` if some cycle has a counted edge.
template <class Edges, class Counts>
std::vector<std::uint32_t> no_end_proof::longest(std::span<const std::uint32_t> starts, Edges edges,
                                                 Counts counts) const {
  std::vector<std::uint32_t> met;                          // nodes that starts lead to
  std::vector<std::uint32_t> number(nodes_.size(), none);  // by node: its place in `met`
  const auto meet = [&](std::uint32_t node) {
    if (number[node] != none) return;
    number[node] = static_cast<std::uint32_t>(met.size());
    met.push_back(node);
  };
  for (const std::uint32_t start : starts) meet(start);
  std::vector<std::vector<edge>> out;
  for (std::size_t i = 0; i < met.size(); ++i) {
    edges(met[i], out.emplace_back());
    for (const edge& e : out.back()) {
      if (e.to != none) meet(e.to);
    }
  }
  const simt::components parts = simt::components_of(met.size(), [&](std::uint32_t from, auto f) {
    for (const edge& e : out[from]) {
      if (e.to != none) f(number[e.to]);
    }
  });
  std::vector<std::uint32_t> length(parts.count, 0);  // by component
  for (const std::uint32_t from : parts.order) {
    std::uint32_t& most = length[parts.of[from]];
    for (const edge& e : out[from]) {
      const bool inside = e.to != none && parts.of[number[e.to]] == parts.of[from];
      const std::uint32_t rest = e.to == none || inside ? 0 : length[parts.of[number[e.to]]];
      const std::uint32_t own = !counts(e) ? 0 : inside ? unbounded : 1;
      most = std::max(most, add(rest, own));
    }
  }
  std::vector<std::uint32_t> lengths;
  for (const std::uint32_t start : starts) lengths.push_back(length[parts.of[number[start]]]);
  return lengths;
}

bool no_end_proof::is_unseen(std::uint32_t number) const {
  const simt::step_kind step = row_of(machine_.program().at(nodes_[number].at).kind).step;
  return step == simt::step_kind::branch || step == simt::step_kind::local;
}

// Whether a lane may run on without visible operations, and is not seen to go round. Its end is
// unknown.
bool no_end_proof::runs_unseen() const {
  std::vector<std::uint32_t> starts;
  for (std::uint32_t number = 0; number < nodes_.size(); ++number) {
    if (is_unseen(number)) starts.push_back(number);
  }
  const auto lengths = longest(
      starts,
      [&](std::uint32_t from, std::vector<edge>& out) {
        edges_of(from, out);
        std::erase_if(out, [&](const edge& e) { return e.to == none || !is_unseen(e.to); });
      },
      [](const edge&) { return true; });
  return std::ranges::any_of(lengths, [](std::uint32_t n) { return n > unseen_limit; });
}

// --- values that only one lane can take ---

// Whether not all lanes of a set can come to a node for which `is_goal` holds. That is so if two of
// them would have to take the same value away from a place first, and no step can bring the value
// back. `count` returns the number of lanes of a group that are in the set.
template <class Count, class Goal>
bool no_end_proof::is_contended(Count count, Goal is_goal) {
  std::vector<taking> shared;
  std::vector<std::uint64_t> lanes;
  std::vector<taking> way;
  for (std::uint32_t g = 0; g < reach_.size(); ++g) {
    const std::size_t members = count(lanes_.groups[g]);
    if (members == 0) continue;
    if (reach_[g].start == none) return true;
    way.clear();
    if (!finds(reach_[g].start, is_goal, nullptr, &way)) return true;
    for (const taking& t : way) {
      if (finds(reach_[g].start, is_goal, &t, nullptr)) continue;
      const auto known = std::ranges::find(shared, t);
      const auto at = static_cast<std::size_t>(known - shared.begin());
      if (known == shared.end()) {
        shared.push_back(t);
        lanes.push_back(0);
      }
      const bool enough = lanes[at] >= 2;
      lanes[at] += members;
      if (!enough && lanes[at] >= 2 && !comes_back(t)) return true;
    }
  }
  return false;
}

// Whether a way leads from `start` to a goal without the step `without`. Adds to `taken` what some
// such way takes.
template <class Goal>
bool no_end_proof::finds(std::uint32_t start, Goal is_goal, const taking* without,
                         std::vector<taking>* taken) {
  struct step {
    std::uint32_t from;
    taking takes;
  };
  boost::unordered_flat_map<std::uint32_t, step> came;
  std::vector<std::uint32_t> open{start};
  std::vector<edge> out;
  came.emplace(start, step{none, {}});
  while (!open.empty()) {
    const std::uint32_t number = open.back();
    open.pop_back();
    if (is_goal(nodes_[number])) {
      for (std::uint32_t at = number; taken != nullptr && at != start; at = came.at(at).from) {
        const taking t = came.at(at).takes;
        if (t.place != none && std::ranges::find(*taken, t) == taken->end()) taken->push_back(t);
      }
      return true;
    }
    out.clear();
    edges_of(number, out);
    steps_ += out.size();
    for (const edge& e : out) {
      const taking t{e.place, e.old};
      if (e.to == none || (without != nullptr && t == *without)) continue;
      if (came.try_emplace(e.to, step{number, t}).second) open.push_back(e.to);
    }
  }
  return false;
}

// Whether a place may get back a value that it has lost.
bool no_end_proof::comes_back(const taking& lost) {
  const place& at = places_[lost.place];
  std::vector<std::uint64_t> open{lost.old};
  std::vector<std::uint64_t> met;
  while (!open.empty()) {
    const std::uint64_t old = open.back();
    open.pop_back();
    for (const std::uint32_t user : at.users) {
      ++steps_;
      const std::uint64_t bits = simt::apply(machine_.program().at(nodes_[user].at), old);
      if (bits == old) continue;
      if (bits == lost.old) return true;
      const bool may_be = std::ranges::find(at.values, bits, &value::bits) != at.values.end();
      if (!may_be || std::ranges::find(met, bits) != met.end()) continue;
      met.push_back(bits);
      open.push_back(bits);
    }
  }
  return false;
}

bool no_end_proof::is_exit(const node& n) const {
  return machine_.program().at(n.at).kind == operation_kind::exited;
}

// Whether some lanes cannot exit, even though each lane by itself might.
bool no_end_proof::some_stay() {
  return staying_ > 0 || is_contended([](const lane_group& g) { return g.lanes.size(); },
                                      [&](const node& n) { return is_exit(n); });
}

// --- races ---

bool no_end_proof::may_race() {
  if (!machine_.may_race()) return false;
  for (const place& p : places_) {
    for (const std::uint32_t a : p.users) {
      if (!machine_.may_race(nodes_[a].at)) continue;
      for (const std::uint32_t b : p.users) {
        if (++steps_ > limit_ || conflict(nodes_[a], nodes_[b])) return true;
      }
    }
  }
  return false;
}

// Whether two different lanes of the nodes' groups conflict at these accesses.
bool no_end_proof::conflict(const node& a, const node& b) {
  const auto& first = lanes_.groups[a.group].lanes;
  const auto& second = lanes_.groups[b.group].lanes;
  // The lanes matter only in whether they are of one block.
  bool tried[2] = {false, false};
  for (const std::uint32_t x : first) {
    for (const std::uint32_t y : second) {
      const bool together = machine_.places().lanes[x].block == machine_.places().lanes[y].block;
      if (x == y || tried[together ? 1 : 0]) continue;
      tried[together ? 1 : 0] = true;
      if (machine_.conflict(x, a.at, y, b.at)) return true;
    }
    if (tried[0] && tried[1]) break;
    if (tried[1] && machine_.setup().grid.blocks == 1) break;
  }
  return false;
}

}  // namespace warpcheck
