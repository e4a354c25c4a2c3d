// Builds the graph: follows each lane alone until no read has a new value.
#include "sim/machine/promises/thread_modular.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>

#include "sim/automaton/components.hpp"
#include "sim/lane/fault_guard.hpp"
#include "sim/machine/weak/weak_operation.hpp"

namespace simt {
namespace {

// The most local operations and branches that a lane may pass in a row.
constexpr int most_local_steps = 10'000;
// Steps between two looks at the clock: of lanes, and of stops whose depth is measured.
constexpr std::size_t steps_in_time = 16, depths_in_time = 1'024;

std::uint64_t bits_of(std::uint8_t size) {
  return size < 8 ? (std::uint64_t{1} << 8U * size) - 1 : ~std::uint64_t{0};
}

template <class Depths>
Depths deeper(Depths a, const Depths& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::max(a[i], b[i]);
  return a;
}

/// Lowers each entry of `a` to that of `b`. Returns whether any was lowered.
template <class Depths>
bool lower(Depths& a, const Depths& b) {
  bool lowered = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    lowered = lowered || b[i] < a[i];
    a[i] = std::min(a[i], b[i]);
  }
  return lowered;
}

}  // namespace

thread_modular::thread_modular(const machine& of, lane_program& lanes,
                               std::span<const std::uint8_t> image)
    : machine_(of), lanes_(lanes), image_(image.begin(), image.end()) {
  const fault_handlers handlers;
  // A first pass finds out which lanes store where.
  limit_ = stops_at_first;
  begin();
  close();
  learn_kinds();
  limit_ = most_stops;
  do {
    begin();
    run();
  } while (is_mistaken_);
  for (number s = 0; s < stops_.size(); ++s) {
    stops_at_[{stops_[s].lane, stops_[s].at}].push_back(s);
  }
  depths_ = {};
  numbers_ = {};
  if (unknown_.empty()) learn_alike();
}

void thread_modular::begin() {
  const std::size_t lanes = machine_.places().lanes.size();
  unknown_ = {};
  is_mistaken_ = false;
  stops_.clear();
  depths_.clear();
  first_stops_.clear();
  numbers_.clear();
  locations_.clear();
  location_numbers_.clear();
  todo_.clear();
  edges_ = 0;
  owns_.assign(1, {});
  own_numbers_ = {{own_values{}, 0}};
  shown_.clear();
  shuffles_.clear();
  const continuation first = lanes_.start();
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    if (!machine_.lanes().is_client(lane)) continue;
    const continuation c = settle(lane, first);
    if (c != exited) first_stops_.push_back(stop_at(lane, c, 0, {}));
  }
}

void thread_modular::run() {
  do {
    close();
  } while (unknown_.empty() && !is_mistaken_ && admit_waiting());
}

// Assumes things about locations, until a store contradicts them.
void thread_modular::learn_kinds() {
  for (const location& x : locations_) {
    if (x.writer == none) continue;
    if (x.only_adds) {
      kinds_[x.offset] = kind::sum;
    } else if (!x.has_several_writers && x.is_read_by_writer) {
      kinds_[x.offset] = kind::own;
    }
  }
}

void thread_modular::close() {
  for (std::size_t steps = 0; !todo_.empty() && unknown_.empty() && !is_mistaken_; ++steps) {
    if (steps % steps_in_time == 0) machine_.program().give_up_in_time();
    const number here = todo_.back();
    todo_.pop_back();
    stops_[here].is_open = false;
    step(here);
    if (stops_.size() > limit_ || edges_ > most_edges) unknown_ = "lanes may come to too much";
  }
}

// Admits waiting values that lanes may store after all. Returns whether there were any.
bool thread_modular::admit_waiting() {
  if (std::ranges::all_of(locations_, [](const location& x) { return x.waiting.empty(); }))
    return false;
  count_stores();
  measure_depths();
  bool news = false;
  for (std::uint32_t x = 0; x < locations_.size(); ++x) {
    std::vector<value> waiting = std::move(locations_[x].waiting);
    locations_[x].waiting.clear();
    for (const value& v : waiting) {
      const bool may_be = x >= counted_locations || locations_[x].most == unbounded ||
                          v.depth[x] <= locations_[x].most;
      news = news || may_be;
      (may_be ? locations_[x].values : locations_[x].waiting).push_back(v);
    }
    if (locations_[x].values.size() > most_values) unknown_ = "a location has too many values";
    open_all(locations_[x].readers);
  }
  return news;
}

// Finds the edges on loops. For each location with waiting values, counts the stores that lanes
// make at most, on one walk each.
void thread_modular::count_stores() {
  const components all = components_of(stops_.size(), [&](number s, auto f) {
    for (const edge& e : stops_[s].edges) {
      if (e.to != none) f(e.to);
    }
  });
  for (number s = 0; s < stops_.size(); ++s) {
    for (edge& e : stops_[s].edges) e.in_loop = e.to != none && all.of[e.to] == all.of[s];
  }
  std::vector<std::uint32_t> most(all.count);
  std::vector<std::uint32_t> of_lane(machine_.places().lanes.size());
  for (location& x : locations_) {
    if (x.waiting.empty()) continue;
    std::ranges::fill(most, 0);
    std::ranges::fill(of_lane, 0);
    for (const number s : all.order) {  // from the end backwards
      std::uint32_t& here = most[all.of[s]];
      const operation_traits& t = traits(s);
      const bool accesses = t.what == operation_traits::kind::access && t.offset == x.offset;
      for (const edge& e : stops_[s].edges) {
        if (e.in_loop) continue;
        const std::uint32_t behind = e.to == none ? 0 : most[all.of[e.to]];
        here = std::max(here, behind + (accesses && e.stores && e.changes ? 1 : 0));
      }
      of_lane[stops_[s].lane] = std::max(of_lane[stops_[s].lane], here);
    }
    x.most = 0;
    for (const std::uint32_t stores : of_lane) x.most = std::min(unbounded, x.most + stores);
  }
}

// Measures depths again, since stores in loops no longer count. Depths only fall, to the same ones
// in any order of stops. The stop that has waited longest comes first: the last one first would
// lower what lies behind a stop again for each way to it.
void thread_modular::measure_depths() {
  depths far;
  far.fill(unbounded);
  std::ranges::fill(depths_, far);
  for (location& x : locations_) {
    for (value& v : x.values) v.depth = far;
    for (value& v : x.waiting) v.depth = far;
    x.values.front().depth = {};  // the initial one
  }
  std::vector<char> is_open(stops_.size());
  std::deque<number> open_stops;
  const auto look_at = [&](number s) {
    if (is_open[s] == 0) open_stops.push_back(s);
    is_open[s] = 1;
  };
  const auto value_of = [](location& x, std::uint64_t is) -> value& {
    const auto known = std::ranges::find(x.values, is, &value::is);
    return known != x.values.end() ? *known : *std::ranges::find(x.waiting, is, &value::is);
  };
  for (const number first : first_stops_) {
    depths_[first] = {};
    look_at(first);
  }
  for (std::size_t steps = 0; !open_stops.empty(); ++steps) {
    if (steps % depths_in_time == 0) machine_.program().give_up_in_time();
    const number here = open_stops.front();
    open_stops.pop_front();
    is_open[here] = 0;
    const operation_traits& t = traits(here);
    for (const edge& e : stops_[here].edges) {
      depths behind = depths_[here];
      if (t.what == operation_traits::kind::access && !touches_no_value(at(here))) {
        const std::uint32_t number = location_numbers_.at(t.offset);
        location& x = locations_[number];
        const bool reads = !is_store(at(here));
        if (reads && !is_known_to(x, stops_[here].lane)) {
          behind = deeper(behind, value_of(x, e.read).depth);
        }
        if (e.stores && x.what != kind::sum) {
          depths stored = behind;
          if (e.changes && !e.in_loop) count_one(stored, number);
          if (lower(value_of(x, e.stored).depth, stored)) std::ranges::for_each(x.readers, look_at);
        }
      }
      if (e.to != none && lower(depths_[e.to], behind)) look_at(e.to);
    }
  }
}

void thread_modular::step(number here) {
  using what = operation_traits::kind;
  const operation op = at(here);
  const auto pass = [&](std::uint64_t answer) {
    go(here, {answer}, answer, depths_[here], stops_[here].own);
  };
  switch (learn_traits(stops_[here].at).what) {
    case what::access:
      if (touches_no_value(op)) return pass(0);
      return access(here);
    case what::collective:
      if (op.collective != detail::collective_kind::syncwarp) return vote(here);
      return pass(0);
    case what::barrier: {
      const bool counts = (op.mask & detail::barrier_counts) != 0;
      const std::uint32_t most =
          counts ? machine_.setup().grid.block_threads() : (op.mask & detail::barrier_reduces) != 0;
      if (most > most_counted) {
        unknown_ = "counts of many lanes";
        return;
      }
      const bool arrives = op.barrier == barrier_part::arrive;
      if (arrives) pass(0);  // it is not the last one
      for (std::uint64_t result = 0; result <= most; ++result)
        pass(arrives ? 1 | result << 1 : result);
      return;
    }
    case what::choose:
      for (std::uint32_t value = 0; value < op.count; ++value) pass(value);
      return;
    case what::silent:
    case what::event:
    case what::branch: return pass(0);
    case what::exited:
    case what::bad_access:
    case what::fail:
    case what::local:
    case what::endless: return;
  }
}

void thread_modular::access(number here) {
  const operation op = at(here);
  const operation_traits t = traits(here);
  const std::uint32_t lane = stops_[here].lane;
  if (machine_.is_bad(lane, t)) return;
  const std::uint32_t number = location_of(t);
  if (!unknown_.empty()) return;
  if (op.writes()) learn_store(locations_[number], lane, op, t);
  if (is_mistaken_) return;
  if (is_store(op)) return store(here);
  location& x = locations_[number];
  list(here, x.readers);
  x.is_read_by_writer = x.is_read_by_writer || x.writer == lane;
  for (const value& v : values_for(here, number)) read(here, number, v);
}

void thread_modular::list(number here, std::vector<number>& readers) {
  if (stops_[here].is_listed) return;
  stops_[here].is_listed = true;
  readers.push_back(here);
}

void thread_modular::learn_store(location& x, std::uint32_t lane, const operation& op,
                                 const operation_traits& t) {
  const bool adds = op.memory == detail::memory_kind::add && access_of(op).strong &&
                    !machine_.model().is_narrow(op, t);
  x.only_adds = x.only_adds && adds;
  x.has_several_writers = x.has_several_writers || (x.writer != none && x.writer != lane);
  if (x.writer == none) x.writer = lane;
  if ((x.what == kind::own && x.has_several_writers) || (x.what == kind::sum && !x.only_adds)) {
    kinds_[x.offset] = kind::any;
    is_mistaken_ = true;
  }
}

// Whether the lane reads a value there that it knows from its own stores, or a sum.
bool thread_modular::is_known_to(const location& x, std::uint32_t lane) {
  return x.what == kind::sum || (x.what == kind::own && (x.writer == lane || x.writer == none));
}

std::vector<thread_modular::value> thread_modular::values_for(number here,
                                                              std::uint32_t number) const {
  const location& x = locations_[number];
  const stop& s = stops_[here];
  if (!is_known_to(x, s.lane)) return x.values;
  if (x.what == kind::own) return {{own_value_of(s.own, number, x.initial), {}}};
  std::set<std::uint64_t> sums{x.initial + own_value_of(s.own, number, 0)};
  for (std::uint32_t lane = 0; lane < x.added.size() && sums.size() <= most_values; ++lane) {
    if (lane == s.lane) continue;
    std::set<std::uint64_t> more;
    for (const std::uint64_t sum : sums) {
      for (const std::uint64_t added : x.added[lane]) more.insert(sum + added);
    }
    sums.swap(more);
  }
  std::vector<value> all;
  for (const std::uint64_t sum : sums) all.push_back({sum & bits_of(x.size), {}});
  std::ranges::sort(all, {}, &value::is);
  const auto same = std::ranges::unique(all, {}, &value::is);
  all.erase(same.begin(), same.end());
  return all;
}

void thread_modular::store(number here) {
  const operation op = at(here);
  const std::uint32_t x = location_numbers_.at(traits(here).offset);
  const std::uint64_t is = op.operand & bits_of(locations_[x].size);
  add_value(x, is, depths_[here], !is_in_loop(here, 0));
  std::uint32_t own = stops_[here].own;
  if (locations_[x].what == kind::own) own = with_own_value(own, x, is);
  go(here, {.stored = is, .stores = true, .changes = true}, 0, depths_[here], own);
}

void thread_modular::read(number here, std::uint32_t x, const value& v) {
  const operation op = at(here);
  const std::uint64_t bits = bits_of(locations_[x].size);
  const bool fails =
      op.memory == detail::memory_kind::compare_exchange && ((v.is ^ op.compare) & bits) != 0;
  const depths behind = deeper(depths_[here], v.depth);
  std::uint32_t own = stops_[here].own;
  edge made{.read = v.is};
  if (!is_load(op) && !fails) {
    made.stores = true;
    made.stored = simt::apply(op, v.is) & bits;
    made.changes = made.stored != v.is;
    if (locations_[x].what == kind::sum) {
      const std::uint64_t sum = own_value_of(own, x, 0) + (op.operand & bits);
      own = with_own_value(own, x, sum & bits);
      add_sum(x, stops_[here].lane, sum & bits);
    } else {
      add_value(x, made.stored, behind, made.changes && !is_in_loop(here, v.is));
      if (locations_[x].what == kind::own) own = with_own_value(own, x, made.stored);
    }
  }
  go(here, made, simt::answer(op, v.is), behind, own);
}

bool thread_modular::is_in_loop(number here, std::uint64_t read) const {
  const auto known = std::ranges::find(stops_[here].edges, read, &edge::read);
  return known != stops_[here].edges.end() && known->in_loop;
}

// Counts one more store to that location.
void thread_modular::count_one(depths& all, std::uint32_t number) {
  if (number < counted_locations && all[number] < unbounded) ++all[number];
}

// Adds a value that a lane may store, `depth` behind what it has read. `counts`: this store counts.
void thread_modular::add_value(std::uint32_t number, std::uint64_t is, depths depth, bool counts) {
  location& x = locations_[number];
  const bool is_counted = number < counted_locations;
  if (counts) count_one(depth, number);
  const auto known = std::ranges::find(x.values, is, &value::is);
  if (known != x.values.end()) {
    if (lower(known->depth, depth)) open_all(x.readers);
    return;
  }
  if (x.values.size() < few_values || (is_counted && depth[number] <= x.most)) {
    x.values.push_back({is, depth});
    if (x.values.size() > most_values) unknown_ = "a location has too many values";
    return open_all(x.readers);
  }
  const auto waits = std::ranges::find(x.waiting, is, &value::is);
  if (waits == x.waiting.end()) {
    x.waiting.push_back({is, depth});
  } else {
    lower(waits->depth, depth);
  }
}

// Adds a sum that `lane` may have added in all.
void thread_modular::add_sum(std::uint32_t number, std::uint32_t lane, std::uint64_t sum) {
  location& x = locations_[number];
  if (!x.added[lane].insert(sum).second) return;
  std::size_t sums = 1;
  for (const auto& added : x.added) sums = std::min(most_values + 1, sums * added.size());
  // Sums of different lanes often have equal totals, so the limit on combinations is higher.
  if (x.added[lane].size() > most_values || sums > most_values * most_values)
    unknown_ = "a location has too many values";
  open_all(x.readers);
}

void thread_modular::vote(number here) {
  const operation op = at(here);
  const std::uint32_t lane = stops_[here].lane;
  const warp_place& w = machine_.places().warps[machine_.places().lanes[lane].warp];
  const std::uint32_t mask = op.mask & w.full_mask();
  const std::uint32_t own = 1U << (lane - w.first);
  using detail::collective_kind;
  const bool is_of_warp = mask == w.full_mask() && op.collective != collective_kind::syncwarp &&
                          op.collective != collective_kind::activemask;
  const auto before = static_cast<std::uint32_t>(own_value_of(stops_[here].own, calls, 0));
  const std::uint32_t call = is_of_warp ? before : of_some_lanes;
  const std::uint32_t own_after =
      is_of_warp ? with_own_value(stops_[here].own, calls, std::min(before + 1, most_calls))
                 : stops_[here].own;
  const auto pass = [&](std::uint64_t answer) {
    go(here, {answer}, answer, depths_[here], own_after);
  };
  const auto pass_sets = [&](std::uint32_t of, std::uint32_t with) {
    if (std::popcount(of) > most_voters) {
      unknown_ = "votes of many lanes";
      return;
    }
    for (std::uint32_t set = of;; set = (set - 1) & of) {
      if ((set & with) == with) pass(set);
      if (set == 0) break;
    }
  };
  if (shown_[{lane, call}].insert(op.operand).second) open_all(shuffles_[{lane, call}]);
  switch (op.collective) {
    case collective_kind::syncwarp: return pass(0);
    case collective_kind::any:
    case collective_kind::all: pass(0); return pass(1);
    case collective_kind::ballot: return pass_sets(mask, op.operand != 0 ? own : 0);
    case collective_kind::match_any: return pass_sets(mask, own);
    case collective_kind::activemask: return pass_sets(w.full_mask(), own);
    case collective_kind::match_all: pass(0); return pass(mask | std::uint64_t{1} << 32);
    case collective_kind::undefined: return;
    case collective_kind::shfl: {
      const std::uint32_t from =
          w.first + warp_collectives::shuffle_source(lane - w.first, op.shfl);
      // The lane that it reads from may exit first.
      if ((op.shfl & detail::shfl_may_miss) != 0) pass(detail::not_shuffled);
      if (from >= w.first + w.lanes) return;
      list(here, shuffles_[{from, call}]);
      const std::set<std::uint64_t> all = shown_[{from, call}];
      if (all.size() > most_values) {
        unknown_ = "shuffles of too many values";
        return;
      }
      for (const std::uint64_t shown : all) pass(shown);
      return;
    }
    case collective_kind::reduce_add:
    case collective_kind::reduce_min_signed:
    case collective_kind::reduce_max_signed:
    case collective_kind::reduce_min_unsigned:
    case collective_kind::reduce_max_unsigned:
    case collective_kind::reduce_and:
    case collective_kind::reduce_or:
    case collective_kind::reduce_xor: unknown_ = "reductions"; return;
  }
}

void thread_modular::go(number here, const edge& made, std::uint64_t answer, const depths& depth,
                        std::uint32_t own) {
  const std::uint32_t lane = stops_[here].lane;
  const continuation next = settle(lane, lanes_.speculate(stops_[here].at, answer));
  edge e = made;
  if (next != exited) e.to = stop_at(lane, next, own, depth);
  auto& edges = stops_[here].edges;
  const auto known = std::ranges::find(edges, e.read, &edge::read);
  if (known == edges.end()) {
    edges.push_back(e);
    ++edges_;
  } else {
    e.in_loop = known->in_loop;
    *known = e;
  }
}

// Passes local operations and branches. Where device code fails, perhaps with an answer that never
// comes, the lane counts as exited.
continuation thread_modular::settle(std::uint32_t lane, continuation c) {
  for (int i = 0; i < most_local_steps; ++i) {
    const operation op = lanes_.at(c);
    const auto what = learn_traits(c).what;
    if (what == operation_traits::kind::local) {
      c = lanes_.speculate(c, machine_.lanes().local_answer(lane, op));
    } else if (what == operation_traits::kind::branch && !machine_.has_stacks()) {
      c = lanes_.speculate(c, 0);
    } else {
      return op.kind == operation_kind::fault ? exited : c;
    }
  }
  return exited;
}

thread_modular::number thread_modular::stop_at(std::uint32_t lane, continuation c,
                                               std::uint32_t own, const depths& depth) {
  const auto [at, is_new] =
      numbers_.try_emplace(stop_key{c, lane, own}, static_cast<number>(stops_.size()));
  const number s = at->second;
  if (is_new) {
    stop& made = stops_.emplace_back();
    made.at = c;
    made.lane = lane;
    made.own = own;
    depths_.push_back(depth);
    open(s);
  } else if (lower(depths_[s], depth)) {
    open(s);
  }
  return s;
}

std::uint32_t thread_modular::location_of(const operation_traits& t) {
  const auto [at, is_new] =
      location_numbers_.try_emplace(t.offset, static_cast<std::uint32_t>(locations_.size()));
  if (!is_new) {
    if (locations_[at->second].size != t.size) unknown_ = "a location is accessed in several sizes";
    return at->second;
  }
  location x;
  x.offset = t.offset;
  x.size = t.size;
  const auto known = kinds_.find(t.offset);
  x.what = known == kinds_.end() ? kind::any : known->second;
  std::memcpy(&x.initial, image_.data() + t.offset, t.size);
  x.values.push_back({x.initial, {}});
  x.added.assign(machine_.places().lanes.size(), {0});
  for (const location& other : locations_) {
    if (other.offset < x.offset + x.size && x.offset < other.offset + other.size)
      unknown_ = "a location is accessed in several sizes";
  }
  locations_.push_back(std::move(x));
  return at->second;
}

const operation_traits& thread_modular::learn_traits(continuation c) {
  while (traits_.size() <= c) {
    const auto next = static_cast<continuation>(traits_.size());
    traits_.push_back(machine_.lanes().traits_of(lanes_.at(next)));
  }
  return traits_[c];
}

std::uint64_t thread_modular::own_value_of(std::uint32_t own, std::uint32_t x,
                                           std::uint64_t without) const {
  const auto known = std::ranges::find(owns_[own], x, &own_value::location);
  return known == owns_[own].end() ? without : known->value;
}

std::uint32_t thread_modular::with_own_value(std::uint32_t own, std::uint32_t x, std::uint64_t is) {
  own_values all = owns_[own];
  const auto place = std::ranges::lower_bound(all, x, {}, &own_value::location);
  if (place != all.end() && place->location == x) {
    place->value = is;
  } else {
    all.insert(place, {x, is});
  }
  const auto [known, is_new] =
      own_numbers_.try_emplace(all, static_cast<std::uint32_t>(owns_.size()));
  if (is_new) owns_.push_back(std::move(all));
  return known->second;
}

// Finds stops from which lanes do the same: splits classes until all members agree (Moore 1956).
void thread_modular::learn_alike() {
  constexpr std::size_t most_compared = 100'000;  // stops
  if (stops_.size() > most_compared) return;
  using words = std::vector<std::uint64_t>;
  std::vector<std::uint32_t> next(stops_.size());
  alike_.assign(stops_.size(), 0);
  const auto number_all = [&](auto key_of) {
    std::unordered_map<words, std::uint32_t, boost::hash<words>> numbers;
    for (number s = 0; s < stops_.size(); ++s) {
      const auto count = static_cast<std::uint32_t>(numbers.size());
      next[s] = numbers.try_emplace(key_of(s), count).first->second;
    }
    alike_.swap(next);
    return numbers.size();
  };
  // How long a lane sleeps makes no difference. Nor, without lockstep, does its path through
  // branches.
  const auto essence = [&](operation op) {
    if (op.kind == operation_kind::nanosleep) op.count = 0;
    op.sequence = 0;
    if (machine_.has_lockstep()) return op;
    op.block = op.target = 0;
    if (op.kind == operation_kind::branch) op.pc = 0;
    return op;
  };
  std::size_t known = number_all([&](number s) {
    const operation op = essence(at(s));
    words key(2 + (sizeof(op) + 7) / 8);
    key[0] = stops_[s].lane;
    key[1] = stops_[s].own;
    std::memcpy(&key[2], &op, sizeof(op));
    return key;
  });
  for (std::size_t before = 0; known != before;) {
    before = known;
    known = number_all([&](number s) {
      words key{alike_[s]};
      std::vector<edge> edges = stops_[s].edges;
      std::ranges::sort(edges, {}, &edge::read);
      for (const edge& e : edges) {
        key.push_back(e.read);
        key.push_back(e.to == none ? none : alike_[e.to]);
      }
      return key;
    });
  }
}

std::size_t thread_modular::memory() const {
  std::size_t edges = 0;
  for (const stop& s : stops_) edges += s.edges.capacity();
  return lanes_.memory() + stops_.capacity() * sizeof(stop) + edges * sizeof(edge) +
         stops_at_.size() * 64 + traits_.capacity() * sizeof(operation_traits);
}

}  // namespace simt
