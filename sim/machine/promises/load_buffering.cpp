// Searches a state's waiting lanes for a circle that the axioms may allow.
#include "sim/machine/promises/load_buffering.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "sim/automaton/components.hpp"
#include "sim/machine/weak/weak_memory.hpp"

namespace simt {

buffering_graph::buffering_graph(const machine& of, const lane_program& like,
                                 std::span<const std::uint8_t> image)
    : lanes_(like.another()), graph_(std::make_unique<thread_modular>(of, *lanes_, image)) {
  if (graph_->unknown().empty()) futures_ = std::make_unique<lane_futures>(of, *graph_);
}

std::size_t buffering_graph::memory() const {
  return graph_->memory() + (futures_ ? futures_->memory() : 0);
}

// Adds members of classes that were met since the last call.
void load_buffering::learn_members() {
  const lane_automaton& program = machine_.program();
  const auto met = static_cast<continuation>(program.lanes().size());
  for (; members_known_ < met; ++members_known_) {
    const auto c = program.class_of(members_known_);
    if (!c) return;
    if (*c >= members_.size()) members_.resize(*c + 1);
    members_[*c].push_back(members_known_);
  }
}

// The set of stops where the lane may be in the graph: the stops of all members of its class.
std::uint32_t load_buffering::stops_of(std::uint32_t lane, continuation at) {
  const std::size_t count = at < members_.size() ? members_[at].size() : 0;
  const auto [known, is_new] = sets_at_.try_emplace({lane, at, count}, 0);
  if (!is_new) return known->second;
  std::vector<number> all;
  const lane_program& here = machine_.program().lanes();
  const lane_program& there = futures_->graph().lanes();
  for (std::size_t i = 0; i < count; ++i) {
    const auto same = there.find(here, members_[at][i]);
    if (!same) continue;
    const auto stops = futures_->graph().stops_at(lane, *same);
    all.insert(all.end(), stops.begin(), stops.end());
  }
  std::ranges::sort(all);
  const auto again = std::ranges::unique(all);
  all.erase(again.begin(), again.end());
  const auto [set, is_new_set] =
      stop_set_numbers_.try_emplace(all, static_cast<std::uint32_t>(stop_sets_.size()));
  if (is_new_set) stop_sets_.push_back(std::move(all));
  return sets_at_[{lane, at, count}] = set->second;
}

load_buffering::standing load_buffering::standing_of(state_view state, const weak_state& memory,
                                                     std::uint32_t lane) {
  const place& at = machine_.places().lanes[lane];
  const warp_place& warp = machine_.places().warps[at.warp];
  standing s{lane, stops_of(lane, state[lane]), std::nullopt, memory.lanes[lane].fenced};
  const bool is_next =
      machine_.is_resident(state, at.block) &&
      (!machine_.has_lockstep() || in(machine_.front(state, at.warp), lane - warp.first));
  if (!is_next) return s;
  const operation op = machine_.program().at(state[lane]);
  s.as = awaited_by(machine_.places(), lane, op, machine_.lanes().traits(state[lane]), s.fenced);
  return s;
}

// Whether another lane may be the next to store at the location where `of` waits and `value` was
// stored last. The next lane in a chain of read-modify-writes, if it is there, reads what is there
// already, so it does not wait. In lockstep it may have to wait for other lanes.
bool load_buffering::may_change(std::span<const standing> lanes, const standing& of,
                                std::uint64_t value) {
  const auto offset = static_cast<std::uint32_t>(of.as->where);
  if (of.as->what != awaited::kind::store || !futures_->is_chain(offset)) return true;
  return std::ranges::any_of(lanes, [&](const standing& s) {
    if (s.lane == of.lane || (s.as == of.as && !machine_.has_lockstep())) return false;
    const auto [known, is_new] = may_be_next_.try_emplace({s.stops, offset, value}, true);
    const std::vector<number>& from = stop_sets_[s.stops];
    if (is_new && !from.empty()) known->second = futures_->may_be_next(from, offset, value);
    return known->second;
  });
}

// Collects the units of the state that wait for others. False: some lane is not in the graph.
bool load_buffering::collect(state_view state) {
  units_.clear();
  const auto image = machine_.stores().images[state[machine_.memory_word()]];
  const weak_state memory = memory_.read(image);
  std::vector<standing> lanes;
  for (std::uint32_t lane = 0; lane < machine_.places().lanes.size(); ++lane) {
    if (state[lane] == exited) continue;
    lanes.push_back(standing_of(state, memory, lane));
    const bool is_known = !stop_sets_[lanes.back().stops].empty();
    if (!is_known && machine_.is_resident(state, machine_.places().lanes[lane].block)) return false;
  }
  const auto waits = [&](const standing& s) {
    if (!s.as) return false;
    std::uint64_t value = 0;
    if (s.as->what == awaited::kind::store) {
      std::memcpy(&value, image.data() + s.as->where, machine_.lanes().traits(state[s.lane]).size);
    }
    return may_change(lanes, s, value);
  };
  const bool lockstep = machine_.has_lockstep();
  unit one;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const standing& s = lanes[i];
    const place& at = machine_.places().lanes[s.lane];
    if (!machine_.is_resident(state, at.block)) continue;
    if (waits(s)) one.lanes.push_back({*s.as, s.stops, s.fenced});
    if (lockstep) one.others.push_back(s.stops);
    const bool goes_on = lockstep && i + 1 < lanes.size() &&
                         machine_.places().lanes[lanes[i + 1].lane].warp == at.warp;
    if (goes_on) continue;
    if (!one.lanes.empty()) units_.push_back(std::move(one));
    one = {};
  }
  return true;
}

bool load_buffering::may_occur(state_view state) {
  if (machine_.launch_of(state) != 0) return true;  // the graph begins with the first launch
  const std::lock_guard lock(machine_.stores().lanes_lock);
  // With many lanes, building the graph takes long. It does not know when the marks of copies are
  // there, nor when an agent ends.
  constexpr std::size_t many_lanes = 16;
  const bool has_copies = machine_.setup().grid.copies;
  if ((has_copies || machine_.places().lanes.size() >= many_lanes) && !circles_.may_be())
    return false;
  if (has_copies) return true;
  shared_facts& facts = *machine_.setup().facts;
  auto& shared = facts.buffering;
  if (!shared) {
    shared = std::make_shared<const buffering_graph>(machine_, machine_.program().lanes(),
                                                     facts.first_image);
  }
  futures_ = shared->futures();
  if (futures_ == nullptr || facts.looks_at_locations_alone) return circles_.may_be();
  learn_members();
  if (!collect(state)) return true;
  std::ranges::sort(units_);
  const auto [known, is_new] = known_.try_emplace(units_, false);
  if (is_new) known->second = search();
  return known->second;
}

// All that a lane may do that waits like `from`, once it has read `value`. Rounds without a change
// are left out: the execution without such a round has the same outcome.
const load_buffering::exits& load_buffering::exits_of(const waiting& from, std::uint64_t value) {
  const auto [known, is_new] = exits_.try_emplace({from, value});
  if (!is_new) return known->second;
  constexpr std::size_t most_followed = 300;  // stops, one by one
  const thread_modular& graph = futures_->graph();
  std::map<std::pair<awaited, std::uint64_t>, std::uint16_t> found;
  bool is_deaf = false;  // what is read at the start is never acquired
  const auto note = [&](std::uint32_t number, bool acquires, bool fenced, std::uint8_t more = 0) {
    const deed& d = futures_->at(number);
    // A fence itself acquires and releases.
    fenced = fenced || (d.as.what == awaited::kind::fence && d.releases);
    acquires = (acquires || fenced) && !is_deaf;
    const bool releases = fenced || d.releases;
    std::uint8_t flags = more;
    if (d.as.what != awaited::kind::vote) {
      if (acquires) flags |= acquired;
      if (releases) flags |= released;
      if (acquires && releases) flags |= through;
    }
    found[{d.as, d.value}] |= static_cast<std::uint16_t>(1U << flags);
  };
  /// Where the search is. `strict`: the lane has changed nothing yet. `acquires`: it has acquired
  /// what it read. `fenced`: it is behind a fence.
  struct progress {
    number s = 0;
    bool strict = true, acquires = false, fenced = false;
    auto operator<=>(const progress&) const = default;
  };
  std::set<progress> seen;
  std::vector<progress> todo;
  const auto go_to = [&](const progress& next) {
    const bool is_plain = !next.strict && (next.acquires || next.fenced);
    if (!is_plain && seen.size() < most_followed) {
      if (seen.insert(next).second) todo.push_back(next);
      return;
    }
    if (!next.fenced) {
      for (const std::uint32_t d : futures_->unfenced(next.s)) note(d, next.acquires, false);
    }
    for (const std::uint32_t d : futures_->all(next.s)) note(d, true, true);
  };
  const auto pass = [&](number first, const progress& here, const thread_modular::edge& e,
                        std::uint8_t more = 0) {
    if (const auto own = futures_->of_edge(here.s, e)) {
      note(*own, here.acquires, here.fenced, more);
    }
    const bool strict = here.strict && futures_->changes_nothing(here.s, e);
    if (e.to == thread_modular::none || (strict && graph.are_alike(e.to, first))) return;
    go_to({e.to, strict, here.acquires, here.fenced});
  };
  const bool reads = from.as.what == awaited::kind::store;
  for (const number first : stop_sets_[from.stops]) {
    const lane_futures::role role = futures_->role_of(first);
    is_deaf = reads && role.returns_nothing;
    progress here{first};
    here.fenced = from.as.what == awaited::kind::fence && role.fence;
    here.acquires = reads ? role.acquires : from.as.what == awaited::kind::barrier;
    // A lane that waits at a barrier has arrived there already.
    if (from.as.what == awaited::kind::fence) {
      note(futures_->number_of(from.as), here.acquires, here.fenced);
    }
    for (const thread_modular::edge& e : graph.stops()[first].edges) {
      if (reads && e.read != value) continue;
      pass(first, here, e, reads && role.wide ? passed_on : 0);
    }
    while (!todo.empty()) {
      progress now = todo.back();
      todo.pop_back();
      const lane_futures::role is = futures_->role_of(now.s);
      if (const auto own = futures_->meets(now.s)) note(*own, now.acquires, now.fenced);
      now.fenced = now.fenced || is.fence;
      // An acquire at the same location completes the pattern.
      now.acquires = now.acquires || now.fenced ||
                     (reads && is.acquires && graph.traits(now.s).offset == from.as.where);
      for (const thread_modular::edge& e : graph.stops()[now.s].edges) pass(first, now, e);
    }
    seen.clear();
  }
  exits& all = known->second;
  for (const auto& [what, flags] : found) all.push_back({what.first, what.second, flags});
  return all;
}

// Like exits_of(), for all lanes of the unit.
load_buffering::exits load_buffering::all_exits(const segment& from) {
  const unit& u = units_[from.unit];
  exits all = exits_of(u.lanes[from.lane], from.value);
  if (u.others.size() < 2) return all;
  std::set<std::pair<awaited, std::uint64_t>> others;
  for (const std::uint32_t stops : u.others) {
    if (stops == u.lanes[from.lane].stops) continue;
    for (const number s : stop_sets_[stops]) {
      for (const std::uint32_t d : futures_->all(s)) {
        others.insert({futures_->at(d).as, futures_->at(d).value});
      }
    }
  }
  for (const auto& [as, value] : others) all.push_back({as, value, 0});
  std::ranges::sort(all);
  return all;
}

// Whether the axioms may allow the circle on `way_`.
bool load_buffering::is_allowed() const {
  if (std::ranges::any_of(way_, &segment::of_warp)) return true;
  const auto place = [&](const segment& s) { return units_[s.unit].lanes[s.lane].as; };
  const bool is_one_location = std::ranges::all_of(way_, [&](const segment& s) {
    return place(s).what == awaited::kind::store && place(s) == place(way_.front());
  });
  if (is_one_location) return false;
  // A read-modify-write that passes on a value carries what it has read, so it is no separate part.
  std::vector<segment> parts;
  for (const segment& s : way_) {
    if ((s.flags & passed_on) == 0) parts.push_back(s);
  }
  const std::size_t count = parts.size();
  if (count == 0) return false;
  int breaks = 0;
  bool is_of_memory = false;                 // at least one break is at memory
  std::vector<char> is_synchronized(count);  // with the part before
  for (std::size_t i = 0; i < count; ++i) {
    const segment& before = parts[(i + count - 1) % count];
    is_synchronized[i] = (before.flags & released) != 0 && (parts[i].flags & acquired) != 0;
    if (is_synchronized[i] != 0) continue;
    ++breaks;
    is_of_memory = is_of_memory || place(parts[i]).what == awaited::kind::store;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t next = (i + 1) % count;
    if (is_synchronized[i] != 0 && is_synchronized[next] != 0 && (parts[i].flags & through) == 0) {
      ++breaks;
      is_of_memory = true;
    }
    // A lane that stores where it has read: its store comes behind what it has read, in coherence
    // order. Both breaks count as one.
    const awaited at = place(parts[i]);
    const bool stays = at.what == awaited::kind::store && at == place(parts[next]) &&
                       !futures_->is_mixed(static_cast<std::uint32_t>(at.where));
    if (stays && is_synchronized[i] == 0 && is_synchronized[next] == 0) --breaks;
  }
  return breaks > 1 && is_of_memory;
}

// Whether all lanes of the unit stand at the barrier where `of` waits, so that they do not wait for
// each other. Only of the syncthreads of a block is it certain that they stand at the same round.
bool load_buffering::stands_with(const unit& by, const waiting& of) {
  return by.others.size() < 2 && of.as.is_of_whole_block() &&
         std::ranges::all_of(by.lanes, [&](const waiting& w) { return w.as == of.as; });
}

// Whether a shorter way reaches `next` with as many breaks. Then some lane on the way does itself
// what `next` waits for. All others behind that lane wait at fences and barriers, and hand on what
// they know.
bool load_buffering::has_shortcut_to(const waiting& next) {
  constexpr std::uint8_t hands_on = acquired | released | through;
  const auto is_no_memory = [](const awaited& as) {
    return as.what == awaited::kind::fence || as.what == awaited::kind::barrier;
  };
  if (!is_no_memory(next.as)) return false;
  for (std::size_t at = way_.size(); at-- > 1;) {
    const segment& dropped = way_[at];
    const bool drops = is_no_memory(units_[dropped.unit].lanes[dropped.lane].as) &&
                       !dropped.of_warp && (dropped.flags & hands_on) == hands_on;
    if (!drops) return false;
    const segment& before = way_[at - 1];
    if (before.of_warp || (before.flags & released) == 0) continue;
    if (stands_with(units_[before.unit], next)) continue;
    const exits all = all_exits(before);
    const auto [first, last] = std::ranges::equal_range(all, next.as, {}, &exit::as);
    for (auto by = first; by != last; ++by) {
      for (std::uint8_t flags = 1; flags < flag_sets; ++flags) {
        const bool may_come = (by->flags >> flags & 1U) != 0 && (flags & released) != 0;
        if (may_come && (flags & ~before.flags) == 0) return true;
      }
    }
  }
  return false;
}

bool load_buffering::come_to(std::size_t unit, std::size_t lane, const exit& by) {
  const bool closes = unit == way_.front().unit;
  const bool of_warp = by.flags == 0;
  if (stands_with(units_[way_.back().unit], units_[unit].lanes[lane])) return false;
  if (closes && ((way_.size() < 2 && !of_warp) || lane != way_.front().lane)) return false;
  if (closes && by.as.what == awaited::kind::store && by.value != way_.front().value) return false;
  if (!closes && is_on_way_[unit] != 0) return false;
  for (std::uint8_t flags = 0; flags < flag_sets; ++flags) {
    if (of_warp ? flags != 0 : (by.flags >> flags & 1U) == 0) continue;
    way_.back().flags = flags;
    way_.back().of_warp = of_warp;
    if (closes) {
      if (is_allowed()) return true;
      continue;
    }
    if (has_shortcut_to(units_[unit].lanes[lane])) continue;
    way_.push_back({unit, lane, by.value});
    is_on_way_[unit] = 1;
    const bool found = go_on();
    is_on_way_[unit] = 0;
    way_.pop_back();
    if (found) return true;
  }
  return false;
}

// Whether the way, which ends at a waiting unit, can be closed to a circle that is allowed.
bool load_buffering::go_on() {
  constexpr std::size_t most_tries = 100'000;
  if (++tries_ > most_tries) return true;
  const exits all = all_exits(way_.back());
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (part_of_[u] != part_of_[way_.front().unit] || is_like_earlier(u)) continue;
    for (std::size_t l = 0; l < units_[u].lanes.size(); ++l) {
      const auto [first, last] =
          std::ranges::equal_range(all, units_[u].lanes[l].as, {}, &exit::as);
      for (auto by = first; by != last; ++by) {
        if (come_to(u, l, *by)) return true;
      }
    }
  }
  return false;
}

// Whether an earlier unit that is not on the way does the same for others.
bool load_buffering::is_like_earlier(std::size_t unit) const {
  if (is_on_way_[unit] != 0) return false;
  for (std::size_t earlier = 0; earlier < unit; ++earlier) {
    if (is_on_way_[earlier] == 0 && kinds_[earlier] == kinds_[unit]) return true;
  }
  return false;
}

// The values that a lane may read where it waits.
std::set<std::uint64_t> load_buffering::values_for(const waiting& at) const {
  if (at.as.what != awaited::kind::store) return {0};
  std::set<std::uint64_t> all;
  for (const number s : stop_sets_[at.stops]) {
    for (const auto& e : futures_->graph().stops()[s].edges) all.insert(e.read);
  }
  return all;
}

// Finds the parts of the state whose units may, directly or indirectly, all wait for each other.
// Also finds units that do the same for others.
void load_buffering::learn_parts() {
  done_.assign(units_.size(), {});
  kinds_.assign(units_.size(), 0);
  for (std::size_t u = 0; u < units_.size(); ++u) {
    std::vector<std::pair<waiting, std::map<std::uint64_t, exits>>> kind;
    for (std::size_t l = 0; l < units_[u].lanes.size(); ++l) {
      waiting like = units_[u].lanes[l];
      std::map<std::uint64_t, exits> by_value;
      for (const std::uint64_t value : values_for(like)) {
        const exits all = all_exits({u, l, value});
        for (const exit& e : all) done_[u].insert(e.as);
        by_value[value] = all;
      }
      like.stops = 0;
      kind.emplace_back(like, std::move(by_value));
    }
    kinds_[u] = kind_numbers_.try_emplace(std::move(kind), kind_numbers_.size()).first->second;
  }
  const components parts = components_of(units_.size(), [&](std::uint32_t u, auto f) {
    for (std::uint32_t other = 0; other < units_.size(); ++other) {
      const bool waits = std::ranges::any_of(units_[other].lanes, [&](const waiting& w) {
        return done_[u].contains(w.as) && !stands_with(units_[u], w);
      });
      if (other != u && waits) f(other);
    }
  });
  part_of_ = parts.of;
}

// Whether units of this part wait for each other at one location only, as lanes do at bins of a
// histogram. Coherence forbids all such circles (is_allowed), and there may be very many.
bool load_buffering::is_of_one_location(std::uint32_t part) const {
  std::optional<awaited> one;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (part_of_[u] != part) continue;
    if (units_[u].others.size() > 1) return false;
    for (const waiting& w : units_[u].lanes) {
      bool is_done = false;
      for (std::size_t by = 0; by < units_.size() && !is_done; ++by) {
        is_done = by != u && part_of_[by] == part && done_[by].contains(w.as) &&
                  !stands_with(units_[by], w);
      }
      if (!is_done) continue;
      if (w.as.what != awaited::kind::store || (one && *one != w.as)) return false;
      one = w.as;
    }
  }
  return true;
}

bool load_buffering::search() {
  learn_parts();
  is_on_way_.assign(units_.size(), 0);
  tries_ = 0;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    // An earlier unit of the same kind was tried: circles with this one are like those.
    const bool is_tried =
        std::ranges::find(kinds_.begin(), kinds_.begin() + static_cast<std::ptrdiff_t>(u),
                          kinds_[u]) != kinds_.begin() + static_cast<std::ptrdiff_t>(u);
    is_on_way_[u] = 1;
    if (is_of_one_location(part_of_[u])) continue;
    for (std::size_t l = 0; !is_tried && l < units_[u].lanes.size(); ++l) {
      for (const std::uint64_t value : values_for(units_[u].lanes[l])) {
        way_ = {{u, l, value}};
        if (go_on()) return true;
      }
    }
    // All circles with this unit are tried, so it stays marked.
  }
  return false;
}

std::size_t load_buffering::memory() const {
  std::size_t bytes = known_.size() * 200 + sets_at_.size() * 64;
  for (const auto& [from, all] : exits_) bytes += all.capacity() * sizeof(exit) + 100;
  return bytes;
}

}  // namespace simt
