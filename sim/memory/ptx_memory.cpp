#include "sim/memory/ptx_memory.hpp"

#include <algorithm>
#include <stdexcept>

namespace simt {

ptx_memory::ptx_memory(std::uint32_t lanes, const common_scopes& common, memory_facts facts)
    : lanes_(lanes), facts_(std::move(facts)) {
  if (lanes >= 0xffff) throw std::length_error("too many lanes for a weak memory");
  common_.reserve(std::size_t{lanes} * lanes);
  for (std::uint32_t a = 0; a < lanes; ++a) {
    for (std::uint32_t b = 0; b < lanes; ++b) common_.push_back(common(a, b));
  }
}

weak_state ptx_memory::initial() const {
  weak_state s;
  s.lanes.resize(lanes_);
  for (lane_knowledge& l : s.lanes) l.known.clock.assign(lanes_, 0);
  s.records.resize(lanes_);
  return s;
}

bool ptx_memory::is_for_everybody(sync_scope scope) const {
  return std::ranges::all_of(common_, [&](sync_scope needed) { return scope >= needed; });
}

// The narrowest scope with the same lanes in it.
sync_scope ptx_memory::narrowed(std::uint32_t lane, sync_scope scope) const {
  if (!facts_.narrow) return sync_scope::cta;
  sync_scope widest_needed = sync_scope::cta;
  for (std::uint32_t other = 0; other < lanes_; ++other) {
    const sync_scope needed = common_[lane * lanes_ + other];
    if (needed <= scope) widest_needed = std::max(widest_needed, needed);
  }
  return widest_needed;
}

std::uint16_t ptx_memory::representative(std::uint32_t lane) const {
  if (!facts_.narrow) return 0;
  std::uint32_t first = 0;
  while (common_[lane * lanes_ + first] != sync_scope::cta) ++first;
  return static_cast<std::uint16_t>(first);
}

std::uint16_t ptx_memory::locate(weak_state& s, std::uint32_t key, std::uint8_t size,
                                 std::uint64_t value) {
  const auto at = std::ranges::lower_bound(s.locations, key, {}, &memory_location::key);
  const auto index = static_cast<std::uint16_t>(at - s.locations.begin());
  if (at != s.locations.end() && at->key == key) return index;
  memory_location fresh;
  fresh.key = key;
  fresh.size = size;
  fresh.messages.resize(1);
  fresh.messages.front().value = value;
  s.locations.insert(at, std::move(fresh));
  s.for_each_view([index](view& v) { v.at.insert(v.at.begin() + index, 0); });
  for (lane_knowledge& l : s.lanes) {
    for (auto& seen : l.seen)
      if (seen.location >= index) ++seen.location;
    for (auto& past : l.released) {
      if (past.location != lane_knowledge::any_location && past.location >= index) ++past.location;
    }
  }
  return index;
}

// Whether reading `m` is a link of the observation order: moral strength of the two.
bool ptx_memory::observes(const memory_location& x, const message& m, std::uint32_t lane,
                          const memory_access& how) const {
  if (!is_mixed(x.key) || m.writer == lane) return true;
  return m.strong && how.strong && includes(m.scope, m.writer, lane) &&
         includes(how.scope, lane, m.writer);
}

void ptx_memory::observe(weak_state& s, std::uint32_t lane, const memory_access& how,
                         std::uint16_t x, std::size_t message, bool may_acquire) const {
  lane_knowledge& l = s.lanes[lane];
  l.known.at[x] = static_cast<std::uint16_t>(message);
  const simt::message& m = s.locations[x].messages[message];
  if (!observes(s.locations[x], m, lane, how)) return;
  if (!m.records.empty()) {
    std::vector<record_ref> all;
    std::ranges::set_union(l.known.observed, m.records, std::back_inserter(all));
    l.known.observed.swap(all);
  }
  if (!how.strong || !may_acquire) return;
  for (const released_view& r : m.carries) {
    if (includes(r.scope, r.who, lane)) l.seen.push_back({x, r});
  }
}

// Joins what was seen, at location `x` or at any.
void ptx_memory::acquire(weak_state& s, std::uint32_t lane, sync_scope scope,
                         std::uint16_t x) const {
  lane_knowledge& l = s.lanes[lane];
  std::erase_if(l.seen, [&](const lane_knowledge::seen_release& one) {
    const bool here = x == lane_knowledge::any_location || one.location == x;
    if (!here || !includes(scope, lane, one.what.who)) return false;
    l.known.join(one.what.known);
    return true;
  });
}

// A race with one of the accesses so far, or a record of this one.
std::optional<race_partner> ptx_memory::note(weak_state& s, std::uint32_t lane,
                                             const memory_access& how, std::uint16_t x,
                                             bool writes) const {
  const std::uint32_t key = s.locations[x].key;
  if (!is_mixed(key)) return std::nullopt;
  view& known = s.lanes[lane].known;
  for (std::uint32_t other = 0; other < lanes_; ++other) {
    if (other == lane) continue;
    for (std::size_t i = known.clock[other]; i < s.records[other].size(); ++i) {
      const access_record& r = s.records[other][i];
      if (r.key != key || (!r.writes && !writes)) continue;
      if (r.strong && how.strong && includes(r.scope, other, lane) &&
          includes(how.scope, lane, other)) {
        continue;
      }
      const record_ref ref{static_cast<std::uint16_t>(other), static_cast<std::uint16_t>(i)};
      if (r.writes && std::ranges::binary_search(known.observed, ref)) continue;
      return race_partner{other, r};
    }
  }
  s.records[lane].push_back({key, writes, how.strong, narrowed(lane, how.scope)});
  known.clock[lane] = static_cast<std::uint16_t>(s.records[lane].size());
  return std::nullopt;
}

// From now on strong stores of the lane carry what it knows now.
void ptx_memory::release(weak_state& s, std::uint32_t lane, std::uint16_t location,
                         sync_scope scope) const {
  lane_knowledge& l = s.lanes[lane];
  const sync_scope narrow = narrowed(lane, scope);
  std::erase_if(l.released, [&](const lane_knowledge::past_release& r) {
    return r.location == location && r.what.scope == narrow;
  });
  l.released.push_back({location, {representative(lane), narrow, l.known}});
}

void ptx_memory::put(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
                     std::size_t message, std::uint64_t value, bool chained) const {
  const bool mixed = is_mixed(s.locations[x].key);
  s.for_each_view([&](view& v) {
    if (v.at[x] >= message) ++v.at[x];
  });
  lane_knowledge& l = s.lanes[lane];
  l.known.at[x] = static_cast<std::uint16_t>(message);
  if (how.release) release(s, lane, x, how.scope);
  simt::message fresh;
  fresh.value = value;
  fresh.chained = chained;
  fresh.strong = how.strong;
  fresh.scope = narrowed(lane, how.scope);
  fresh.writer = static_cast<std::uint16_t>(lane);
  if (mixed) {
    fresh.records.push_back({fresh.writer, static_cast<std::uint16_t>(l.known.clock[lane] - 1)});
  }
  if (how.strong) {
    for (const auto& r : l.released) {
      if (r.location == lane_knowledge::any_location || r.location == x) {
        fresh.carries.push_back(r.what);
      }
    }
  }
  auto& all = s.locations[x].messages;
  if (all.size() >= 0xfff0) throw std::length_error("too many messages at one location");
  if (chained) {
    const simt::message& source = all[message - 1];
    if (observes(s.locations[x], source, lane, how)) {
      fresh.carries.insert(fresh.carries.end(), source.carries.begin(), source.carries.end());
      fresh.records.insert(fresh.records.end(), source.records.begin(), source.records.end());
    }
  }
  std::ranges::sort(fresh.records);
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(message), std::move(fresh));
}

std::optional<race_partner> ptx_memory::load(weak_state& s, std::uint32_t lane,
                                             const memory_access& how, std::uint16_t x,
                                             std::size_t message) const {
  observe(s, lane, how, x, message, true);
  if (how.acquire) acquire(s, lane, how.scope, x);
  return note(s, lane, how, x, false);
}

std::optional<race_partner> ptx_memory::store(weak_state& s, std::uint32_t lane,
                                              const memory_access& how, std::uint16_t x,
                                              std::size_t message, std::uint64_t value) const {
  if (auto race = note(s, lane, how, x, true)) return race;
  put(s, lane, how, x, message, value, false);
  return std::nullopt;
}

std::optional<race_partner> ptx_memory::update(weak_state& s, std::uint32_t lane,
                                               const memory_access& how, std::uint16_t x,
                                               std::size_t message, std::uint64_t value,
                                               bool observes) const {
  observe(s, lane, how, x, message, observes);
  if (how.acquire && observes) acquire(s, lane, how.scope, x);
  if (auto race = note(s, lane, how, x, true)) return race;
  put(s, lane, how, x, message + 1, value, true);
  return std::nullopt;
}

void ptx_memory::fence(weak_state& s, std::uint32_t lane, bool sc, sync_scope scope) const {
  acquire(s, lane, scope, lane_knowledge::any_location);
  lane_knowledge& l = s.lanes[lane];
  if (sc) {
    const sync_scope narrow = narrowed(lane, scope);
    const std::uint16_t who = representative(lane);
    for (const released_view& earlier : s.fences) {
      if (includes(earlier.scope, earlier.who, lane) && includes(scope, lane, earlier.who)) {
        l.known.join(earlier.known);
      }
    }
    std::erase_if(s.fences, [&](const released_view& earlier) {
      return earlier.who == who && earlier.scope == narrow;
    });
    s.fences.push_back({who, narrow, l.known});
  }
  release(s, lane, lane_knowledge::any_location, scope);
}

void ptx_memory::barrier(weak_state& s, std::span<const std::uint32_t> from,
                         std::span<const std::uint32_t> to) {
  if (from.empty()) return;
  view all = s.lanes[from.front()].known;
  for (const std::uint32_t lane : from) all.join(s.lanes[lane].known);
  for (const std::uint32_t lane : to) s.lanes[lane].known.join(all);
}

void ptx_memory::arrive(weak_state& s, std::uint32_t lane, std::uint32_t barrier) {
  const view& known = s.lanes[lane].known;
  const auto at = std::ranges::lower_bound(s.arrivals, barrier, {}, &barrier_arrivals::barrier);
  if (at != s.arrivals.end() && at->barrier == barrier) {
    at->known.join(known);
  } else {
    s.arrivals.insert(at, {barrier, known});
  }
}

void ptx_memory::complete(weak_state& s, std::uint32_t barrier, std::span<const std::uint32_t> to) {
  const auto at = std::ranges::find(s.arrivals, barrier, &barrier_arrivals::barrier);
  if (at == s.arrivals.end()) return;
  for (const std::uint32_t lane : to) s.lanes[lane].known.join(at->known);
}

}  // namespace simt
