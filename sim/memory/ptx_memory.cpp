// Carries out the steps of a weak memory.
//
// Axioms: Coherence and Atomicity hold by where `put` places a message (may_store and may_update
// say where it may). SC-per-location holds by the positions that `observe` and `put` raise.
// Causality holds by the views that `acquire`, `release` and `barrier` hand on. Fence-SC holds by
// `fence`, in the order in which fences are carried out. No-thin-air is up to the code that makes
// promises. docs/memory-model.md, "Whole algorithms: the machine", has the table.
#include "sim/memory/ptx_memory.hpp"

#include <algorithm>
#include <stdexcept>

#include <simt/detail/mbarrier_word.hpp>

#include "sim/memory/lane_names.hpp"

namespace simt {
namespace {

// Whether `is` holds for message `m`, or for one that a lane observes with `m` through promises.
template <class Is>
bool leads_to(const std::vector<message>& all, std::size_t m, Is is) {
  for (std::size_t p = m;; --p) {
    if (is(all[p])) return true;
    if (!all[p].linked) return false;
  }
}

}  // namespace

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

// The narrowest scope that contains the same lanes.
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

bool ptx_memory::are_of_one_phase(const message& a, const message& b) {
  return ((a.value ^ b.value) & detail::mbarrier_tested) == 0;
}

// Whether reading `m` is a link of the observation order, which needs moral strength of the two
// accesses.
bool ptx_memory::observes(const memory_location& x, const message& m, std::uint32_t lane,
                          const memory_access& how) const {
  if (!is_mixed(x.key)) return true;
  // A lane's weak load of its own message observes nothing new: canonical.cpp.
  if (m.strong && !facts_.narrow) return how.strong;
  if (m.writer == lane) return true;
  return m.strong && how.strong && includes(m.scope, m.writer, lane) &&
         includes(how.scope, lane, m.writer);
}

// The records of stores that a lane observes with message `m`. A promise has no record yet. But a
// promised read-modify-write will read the message before it, unless the promise is open.
std::span<const record_ref> ptx_memory::observed_with(const memory_location& x,
                                                      std::size_t m) const {
  for (; x.messages[m].promised; --m) {
    const message& promise = x.messages[m];
    if (!promise.chained || promise.open) return {};
    memory_access how;
    how.strong = promise.strong;
    how.scope = promise.scope;
    if (!observes(x, x.messages[m - 1], promise.writer, how)) return {};
  }
  return x.messages[m].records;
}

// Notes the released views that `lane` may acquire from what it has read at `x`.
void ptx_memory::see(weak_state& s, std::uint32_t lane, std::uint16_t x,
                     const std::vector<released_view>& carried) const {
  for (const released_view& r : carried) {
    if (includes(r.scope, r.who, lane)) {
      s.lanes[lane].seen.push_back({x, lane_knowledge::no_promise, r});
    }
  }
}

void ptx_memory::observe(weak_state& s, std::uint32_t lane, const memory_access& how,
                         std::uint16_t x, std::size_t m) const {
  lane_knowledge& l = s.lanes[lane];
  l.known.at[x] = static_cast<std::uint16_t>(m);
  auto& all = s.locations[x].messages;
  all[m].unread = false;
  if (!observes(s.locations[x], all[m], lane, how)) return;
  l.known.observe(observed_with(s.locations[x], m));
  if (!how.strong || how.returns_nothing) return;
  see(s, lane, x, all[m].carries);
  link(s, lane, x, m);
}

// Notes the promises from which `lane` may acquire, now that it has read message `m`.
void ptx_memory::link(weak_state& s, std::uint32_t lane, std::uint16_t x, std::size_t m) const {
  const auto& all = s.locations[x].messages;
  for (std::size_t p = m;; --p) {
    if (all[p].promised) s.lanes[lane].seen.push_back({x, static_cast<std::uint16_t>(p), {}});
    if (!all[p].linked) break;
  }
}

// Joins the releases seen at location `x`, or at any. False: some of them cannot be acquired yet.
bool ptx_memory::acquire(weak_state& s, std::uint32_t lane, sync_scope scope, std::uint16_t x,
                         bool is_alone) const {
  lane_knowledge& l = s.lanes[lane];
  const auto is_here = [&](const lane_knowledge::seen_release& one) {
    return x == lane_knowledge::any_location || one.location == x;
  };
  for (const lane_knowledge::seen_release& one : l.seen) {
    if (!is_here(one) || one.promise == lane_knowledge::no_promise) continue;
    if (!acquire_promise(s, lane, scope, one.location, one.promise, is_alone)) return false;
  }
  std::erase_if(l.seen, [&](const lane_knowledge::seen_release& one) {
    if (!is_here(one) || one.promise != lane_knowledge::no_promise) return false;
    if (!includes(scope, lane, one.what.who)) return false;
    l.known.join(one.what.known);
    return true;
  });
  if (!is_alone) note_what_is_known(s, lane);
  return true;
}

// Records what `lane` knows, in each open promise from which it has just acquired.
void ptx_memory::note_what_is_known(weak_state& s, std::uint32_t lane) {
  for (memory_location& x : s.locations) {
    for (message& m : x.messages) {
      if (!m.open) continue;
      for (message::acquirer& a : m.acquired) {
        if (a.lane != lane || !a.knew.at.empty()) continue;
        a.knew.at = s.lanes[lane].known.at;
        a.knew.clock.assign(s.lanes[lane].known.clock.size(), 0);
      }
    }
  }
}

// Whether `lane`, when it acquires with `scope`, acquires from this promise.
bool ptx_memory::is_promised_to(const message& m, std::uint32_t lane, sync_scope scope) const {
  return m.promised && m.strong && m.writer != lane && includes(m.scope, m.writer, lane) &&
         includes(scope, lane, m.writer);
}

// Whether `lane` would have to acquire from a release that has not happened yet.
bool ptx_memory::is_promised_release(const message& m, std::uint32_t lane, sync_scope scope) const {
  return m.releases && is_promised_to(m, lane, scope);
}

// Joins what the promise's store would carry if it were carried out now.
bool ptx_memory::acquire_promise(weak_state& s, std::uint32_t lane, sync_scope scope,
                                 std::uint16_t x, std::uint16_t m, bool is_alone) const {
  message& promise = s.locations[x].messages[m];
  const std::uint32_t owner = promise.writer;
  if (!promise.strong || owner == lane) return true;
  if (is_promised_release(promise, lane, scope)) {
    if (!is_alone) return false;
  } else if (!is_alone) {
    promise.acquired.push_back({static_cast<std::uint16_t>(lane), narrowed(lane, scope), {}});
  }
  for (const auto& r : s.lanes[owner].released) {
    const bool carried = r.location == lane_knowledge::any_location || r.location == x;
    if (carried && includes(r.what.scope, owner, lane) && includes(scope, lane, owner)) {
      s.lanes[lane].known.join(r.what.known);
    }
  }
  return true;
}

// Finds a race with an earlier access that is not in `behind`. Where there is none, records this
// access.
std::optional<race_partner> ptx_memory::note(weak_state& s, std::uint32_t lane,
                                             const memory_access& how, std::uint16_t x, bool writes,
                                             std::span<const record_ref> behind) const {
  const std::uint32_t key = s.locations[x].key;
  if (!is_mixed(key) || how.is_alone) return std::nullopt;
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
      if (std::ranges::binary_search(behind, ref)) continue;
      return race_partner{other, r};
    }
  }
  if (how.is_repeated) return std::nullopt;
  // A read-modify-write is one record: a lane that observes its store comes behind all of it.
  s.records[lane].push_back({key, writes, how.strong, narrowed(lane, how.scope)});
  known.clock[lane] = static_cast<std::uint16_t>(s.records[lane].size());
  for (message& m : s.locations[x].messages) {
    if (m.promised && is_behind(m.records, known))
      come_behind(m, {static_cast<std::uint16_t>(lane), last_record(s, lane)});
  }
  return std::nullopt;
}

// Whether a lane with this view comes, in causality order, behind a lane that has observed a
// promise. `behind`: the accesses that come behind the promise.
bool ptx_memory::is_behind(std::span<const record_ref> behind, const view& known) {
  return std::ranges::any_of(behind, [&](record_ref r) { return r.index < known.clock[r.lane]; });
}

// Records that this access comes behind the promise.
void ptx_memory::come_behind(message& promise, record_ref access) {
  promise.records.push_back(access);
  std::ranges::sort(promise.records);
  const auto again = std::ranges::unique(promise.records);
  promise.records.erase(again.begin(), again.end());
}

// Records that the lane's last access, which has read message `m`, comes behind the promises that
// it has observed.
void ptx_memory::come_behind_read(weak_state& s, std::uint32_t lane, const memory_access& how,
                                  std::uint16_t x, std::size_t m) const {
  auto& all = s.locations[x].messages;
  if (!is_mixed(s.locations[x].key) || how.is_alone || how.is_repeated) return;
  if (!observes(s.locations[x], all[m], lane, how)) return;
  const record_ref access{static_cast<std::uint16_t>(lane), last_record(s, lane)};
  for (std::size_t p = m;; --p) {
    if (all[p].promised && all[p].writer != lane) come_behind(all[p], access);
    if (!all[p].linked) break;
  }
}

// From now on, strong stores of the lane carry what it knows now. False: a lane has acquired from a
// promise of such a store, and should have acquired this, too.
bool ptx_memory::release(weak_state& s, std::uint32_t lane, std::uint16_t location,
                         sync_scope scope) const {
  for (std::size_t x = 0; x < s.locations.size(); ++x) {
    if (location != lane_knowledge::any_location && location != x) continue;
    for (const message& m : s.locations[x].messages) {
      if (!m.promised || m.writer != lane || !m.strong) continue;
      for (const message::acquirer& a : m.acquired) {
        if (includes(scope, lane, a.lane) && includes(a.scope, a.lane, lane)) return false;
      }
    }
  }
  add_release(s, lane, location, narrowed(lane, scope));
  return true;
}

// Adds what the lane knows now to what its later stores carry.
void ptx_memory::add_release(weak_state& s, std::uint32_t lane, std::uint16_t location,
                             sync_scope scope) const {
  lane_knowledge& l = s.lanes[lane];
  std::erase_if(l.released, [&](const lane_knowledge::past_release& r) {
    return r.location == location && r.what.scope == scope;
  });
  l.released.push_back({location, {representative(lane), scope, l.known}});
}

void ptx_memory::tell_of_access(weak_state& s, std::uint32_t lane, std::uint16_t x) const {
  lane_knowledge& l = s.lanes[lane];
  const auto is_told = [](const lane_knowledge::past_release& r) {
    return r.location == lane_knowledge::any_location;
  };
  auto told = std::ranges::find_if(l.released, is_told);
  if (told == l.released.end()) {
    view nothing;
    nothing.at.assign(l.known.at.size(), 0);
    nothing.clock.assign(l.known.clock.size(), 0);
    const sync_scope widest = narrowed(lane, sync_scope::sys);
    l.released.push_back({lane_knowledge::any_location, {representative(lane), widest, nothing}});
    told = std::prev(l.released.end());
  }
  told->what.known.at[x] = l.known.at[x];
  told->what.known.clock[lane] = l.known.clock[lane];
}

void ptx_memory::make_room(weak_state& s, std::uint16_t x, std::size_t m) {
  auto& all = s.locations[x].messages;
  if (all.size() >= 0xfff0) throw std::length_error("too many messages at one location");
  s.for_each_position(x, [&](std::uint16_t& position) {
    if (position >= m) ++position;
  });
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(m), message());
}

// The number of the lane's last recorded access.
std::uint16_t ptx_memory::last_record(const weak_state& s, std::uint32_t lane) {
  return static_cast<std::uint16_t>(s.lanes[lane].known.clock[lane] - 1);
}

// Fills message `m` with what the lane's store carries.
void ptx_memory::fill(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
                      std::size_t m) const {
  auto& all = s.locations[x].messages;
  message& made = all[m];
  lane_knowledge& l = s.lanes[lane];
  made.strong = how.strong;
  made.scope = narrowed(lane, how.scope);
  made.writer = static_cast<std::uint16_t>(lane);
  if (is_mixed(s.locations[x].key) && !how.is_alone) {
    made.records.push_back({made.writer, last_record(s, lane)});
  }
  if (how.strong) {
    for (const auto& r : l.released) {
      if (r.location == lane_knowledge::any_location || r.location == x) {
        made.carries.push_back(r.what);
      }
    }
  }
  if (made.chained) {
    const message& source = all[m - 1];
    if (observes(s.locations[x], source, lane, how)) {
      made.linked = source.promised || source.linked;
      made.carries.insert(made.carries.end(), source.carries.begin(), source.carries.end());
      const auto observed = observed_with(s.locations[x], m - 1);
      made.records.insert(made.records.end(), observed.begin(), observed.end());
    }
  }
  std::ranges::sort(made.records);
}

bool ptx_memory::put(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
                     std::size_t m, std::uint64_t value, bool chained) const {
  make_room(s, x, m);
  message& made = s.locations[x].messages[m];
  made.value = value;
  made.chained = chained;
  made.rank = how.rank;
  s.lanes[lane].known.at[x] = static_cast<std::uint16_t>(m);
  if (how.release && !release(s, lane, x, how.scope)) return false;
  fill(s, lane, how, x, m);
  return true;
}

memory_effect ptx_memory::load(weak_state& s, std::uint32_t lane, const memory_access& how,
                               std::uint16_t x, std::size_t m) const {
  observe(s, lane, how, x, m);
  if (how.acquire && !acquire(s, lane, how.scope, x, how.is_alone)) return {false, {}};
  if (auto race = note(s, lane, how, x, how.conflicts_as_store)) return {true, race};
  come_behind_read(s, lane, how, x, m);
  return {};
}

memory_effect ptx_memory::store(weak_state& s, std::uint32_t lane, const memory_access& how,
                                std::uint16_t x, std::size_t m, std::uint64_t value) const {
  if (auto race = note(s, lane, how, x, true)) return {true, race};
  return {put(s, lane, how, x, m, value, false), {}};
}

memory_effect ptx_memory::update(weak_state& s, std::uint32_t lane, const memory_access& how,
                                 std::uint16_t x, std::size_t m, std::uint64_t value) const {
  if (facts_.is_phased(s.locations[x].key)) return arrive_in_phase(s, lane, how, x, value);
  observe(s, lane, how, x, m);
  const bool acquires = how.acquire && !how.returns_nothing;
  if (acquires && !acquire(s, lane, how.scope, x, how.is_alone)) return {false, {}};
  if (auto race = note(s, lane, how, x, true)) return {true, race};
  come_behind_read(s, lane, how, x, m);
  return {put(s, lane, how, x, m + 1, value, true), {}};
}

// A lane that arrives at an mbarrier learns nothing from earlier arrivals, nor that the phase is
// complete. It learns that by a test.
memory_effect ptx_memory::arrive_in_phase(weak_state& s, std::uint32_t lane,
                                          const memory_access& how, std::uint16_t x,
                                          std::uint64_t value) const {
  if (auto race = note(s, lane, how, x, true)) return {true, race};
  auto& all = s.locations[x].messages;
  std::size_t last = all.size() - 1;
  if (!put(s, lane, how, x, last + 1, value, true)) return {false, {}};
  const bool had_arrivals = is_of_arrivals(all, last);
  if (are_of_one_phase(all[last + 1], all[last])) {
    // The new message stands for the arrivals before it, too.
    if (!had_arrivals) return {};
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(last));
    s.for_each_position(x, [last](std::uint16_t& position) {
      if (position > last) --position;
    });
    return {};
  }
  // The phase is complete. The first message of the next phase carries what the arrivals carried.
  if (!had_arrivals) {
    make_room(s, x, ++last);
    all[last] = all[last - 1];
    all[last].chained = true;
  }
  all[last].carries.clear();
  all[last].records.clear();
  const auto arrivals = static_cast<std::uint16_t>(last);
  s.lanes[lane].known.at[x] = arrivals;
  for (auto& past : s.lanes[lane].released) {
    if (past.location == x) past.what.known.at[x] = arrivals;
  }
  return {};
}

memory_effect ptx_memory::test_again(weak_state& s, std::uint32_t lane, const memory_access& how,
                                     std::uint16_t x) const {
  return {true, note(s, lane, how, x, false)};
}

memory_effect ptx_memory::fence(weak_state& s, std::uint32_t lane, bool sc, sync_scope scope,
                                bool is_alone, fence_sides sides) const {
  if (sides != fence_sides::releases &&
      !acquire(s, lane, scope, lane_knowledge::any_location, is_alone)) {
    return {false, {}};
  }
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
  if (sides == fence_sides::acquires) return {true, {}};
  return {release(s, lane, lane_knowledge::any_location, scope), {}};
}

bool ptx_memory::may_promise(const weak_state& s, std::uint32_t lane, std::uint16_t x,
                             std::size_t m, bool chained) {
  if (!chained) return may_store(s, lane, x, m);
  return m - 1 >= s.lanes[lane].known.at[x] && is_gap(s, x, m);
}

void ptx_memory::promise(weak_state& s, std::uint32_t lane, const memory_access& how,
                         std::uint16_t x, std::size_t m, std::uint64_t value, bool chained,
                         bool open) const {
  make_room(s, x, m);
  auto& all = s.locations[x].messages;
  message& made = all[m];
  made.value = value;
  made.promised = made.unread = true;
  made.chained = chained;
  made.strong = how.strong;
  made.releases = how.release;
  made.scope = narrowed(lane, how.scope);
  made.writer = static_cast<std::uint16_t>(lane);
  made.rank = how.rank;
  made.open = open;
  if (chained && !open) {
    all[m - 1].unread = false;
    const message& source = all[m - 1];
    made.linked = observes(s.locations[x], source, lane, how) && (source.promised || source.linked);
    if (observes(s.locations[x], source, lane, how)) made.carries = source.carries;
  }
}

void ptx_memory::withdraw(weak_state& s, std::uint16_t x, std::size_t m) {
  auto& all = s.locations[x].messages;
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(m));
  s.for_each_position(x, [&](std::uint16_t& position) {
    if (position > m) --position;
  });
}

bool ptx_memory::keeps_promise(const weak_state& s, std::uint32_t lane, const memory_access& how,
                               std::uint16_t x, std::size_t m, std::uint64_t value,
                               bool chained) const {
  const message& it = s.locations[x].messages[m];
  if (!it.promised || it.writer != lane || it.value != value || it.chained != chained) return false;
  if (it.strong != how.strong || it.releases != how.release ||
      it.scope != narrowed(lane, how.scope)) {
    return false;
  }
  return chained ? may_read(s, lane, x, m - 1) : m > s.lanes[lane].known.at[x];
}

// Whether the acquirer of an open promise knew, by then, what it would have acquired from `r`. To
// know it now is not enough: the lane may have stored it itself, and whoever released it would have
// read it before. For clocks, which only serve races, it is enough.
bool ptx_memory::knew(const weak_state& s, const message::acquirer& a,
                      const released_view& r) const {
  if (!includes(r.scope, r.who, a.lane) || !includes(a.scope, a.lane, r.who)) return true;
  return s.lanes[a.lane].live && r.known.is_within(s.lanes[a.lane].known) &&
         r.known.is_hidden_in(a.knew);
}

// Whether the acquirers of the promise `m`, of an exchange, knew what it carries from the message
// that it turns out to read. What ended lanes know is lost, so they count as not knowing.
bool ptx_memory::acquirers_knew(weak_state& s, std::uint16_t x, std::size_t m) const {
  const message made = s.locations[x].messages[m];
  memory_access how;
  how.strong = made.strong;
  how.scope = made.scope;
  if (!observes(s.locations[x], s.locations[x].messages[m - 1], made.writer, how)) return true;
  for (const message::acquirer& a : made.acquired) {
    for (const released_view& r : s.locations[x].messages[m - 1].carries) {
      if (!knew(s, a, r)) return false;
    }
    for (std::size_t p = m - 1;; --p) {
      message& earlier = s.locations[x].messages[p];
      if (earlier.promised && earlier.strong && earlier.writer != a.lane) {
        if (is_promised_release(earlier, a.lane, a.scope)) return false;
        for (const auto& r : s.lanes[earlier.writer].released) {
          const bool carried = r.location == lane_knowledge::any_location || r.location == x;
          if (carried && !knew(s, a, r.what)) return false;
        }
        earlier.acquired.push_back({a.lane, a.scope, earlier.open ? a.knew : view()});
      }
      if (!earlier.linked) break;
    }
  }
  return true;
}

// A promise has been kept: each lane that came behind it has observed these stores.
void ptx_memory::be_observed(weak_state& s, std::span<const record_ref> behind,
                             std::span<const record_ref> stores) {
  s.for_each_view([&](view& v) {
    if (is_behind(behind, v)) v.observe(stores);
  });
}

memory_effect ptx_memory::keep(weak_state& s, std::uint32_t lane, const memory_access& how,
                               std::uint16_t x, std::size_t m) const {
  if (s.locations[x].messages[m].chained) {
    observe(s, lane, how, x, m - 1);
    const bool acquires = how.acquire && !how.returns_nothing;
    if (acquires && !acquire(s, lane, how.scope, x, how.is_alone)) return {false, {}};
  }
  const bool updates = s.locations[x].messages[m].chained;
  const bool was_open = s.locations[x].messages[m].open;
  if (was_open && !how.is_alone && !acquirers_knew(s, x, m)) return {false, {}};
  auto& all = s.locations[x].messages;
  const std::vector<record_ref> behind = all[m].records;
  if (auto race = note(s, lane, how, x, true, behind)) return {true, race};
  if (updates) come_behind_read(s, lane, how, x, m - 1);
  all[m].promised = false;
  all[m].releases = false;
  all[m].unread = false;
  all[m].open = false;
  all[m].linked = false;
  all[m].acquired.clear();
  all[m].carries.clear();
  s.lanes[lane].known.at[x] = static_cast<std::uint16_t>(m);
  all[m].records.clear();
  if (how.release && !release(s, lane, x, how.scope)) return {false, {}};
  fill(s, lane, how, x, m);
  if (!behind.empty()) be_observed(s, behind, all[m].records);
  // Lanes that have read the promise, and read-modify-writes behind it, now get what it carries.
  for (std::size_t p = m + 1; p < all.size() && all[p].linked; ++p) {
    all[p].carries.insert(all[p].carries.end(), all[m].carries.begin(), all[m].carries.end());
    if (!all[p].promised && !all[p].records.empty()) {
      all[p].records.insert(all[p].records.end(), all[m].records.begin(), all[m].records.end());
      std::ranges::sort(all[p].records);
    }
    all[p].linked = all[p - 1].promised || all[p - 1].linked;
  }
  for (std::uint32_t other = 0; other < lanes_; ++other) {
    auto& seen = s.lanes[other].seen;
    const auto had = std::erase_if(seen, [&](const lane_knowledge::seen_release& one) {
      return one.location == x && one.promise == m;
    });
    if (had == 0) continue;
    see(s, other, x, all[m].carries);
    if (was_open && all[m].linked) link(s, other, x, m);
  }
  return {};
}

bool ptx_memory::has_promises(const weak_state& s, std::uint32_t lane) {
  return std::ranges::any_of(s.locations, [&](const memory_location& x) {
    return std::ranges::any_of(x.messages,
                               [&](const message& m) { return m.promised && m.writer == lane; });
  });
}

bool ptx_memory::may_acquire(const weak_state& s, std::uint32_t lane, const memory_access& how,
                             std::uint16_t x, std::size_t m) const {
  const auto& all = s.locations[x].messages;
  if (!how.acquire || !observes(s.locations[x], all[m], lane, how)) return true;
  return !leads_to(all, m,
                   [&](const message& p) { return is_promised_release(p, lane, how.scope); });
}

bool ptx_memory::may_have_to_wait(const weak_state& s, std::uint32_t lane, const memory_access& how,
                                  std::uint16_t x, std::size_t m) const {
  const auto& all = s.locations[x].messages;
  if (!how.acquire || !observes(s.locations[x], all[m], lane, how)) return false;
  return leads_to(all, m, [&](const message& p) { return is_promised_to(p, lane, how.scope); });
}

void ptx_memory::end_others(weak_state& s, std::uint32_t lane) const {
  for (std::uint32_t other = 0; other < s.lanes.size(); ++other) {
    if (other == lane) continue;
    end(s, other);
    for (std::uint16_t x = 0; x < s.locations.size(); ++x) {
      for (const message& m : s.locations[x].messages) {
        if (m.promised && m.releases && m.strong && m.writer == other)
          add_release(s, other, x, m.scope);
      }
    }
  }
  for (memory_location& x : s.locations) {
    for (message& m : x.messages) {
      if (m.writer != lane) m.acquired.clear();
      for (message::acquirer& a : m.acquired) a.knew = {};
    }
  }
  for (auto& records : s.records) records.clear();
  for (memory_location& x : s.locations) {
    for (message& m : x.messages) m.records.clear();
  }
  s.for_each_view([](view& v) {
    std::ranges::fill(v.clock, 0);
    v.observed.clear();
  });
}

bool ptx_memory::has_read_promises(const weak_state& s, std::uint32_t lane) {
  return std::ranges::any_of(s.lanes[lane].seen, [](const lane_knowledge::seen_release& one) {
    return one.promise != lane_knowledge::no_promise;
  });
}

bool ptx_memory::minds_promises(const weak_state& s, std::uint32_t lane) {
  return has_promises(s, lane) || has_read_promises(s, lane);
}

bool ptx_memory::has_passed_promise(const weak_state& s, std::uint32_t lane) {
  for (std::size_t x = 0; x < s.locations.size(); ++x) {
    const auto& all = s.locations[x].messages;
    for (std::size_t m = 0; m <= s.lanes[lane].known.at[x]; ++m) {
      if (all[m].promised && all[m].writer == lane) return true;
    }
  }
  return false;
}

void ptx_memory::rename(weak_state& s, std::span<const std::uint32_t> place_of) const {
  std::vector<std::uint16_t> stands_for(lanes_);
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) stands_for[lane] = representative(lane);
  rename_lanes(s, place_of, stands_for);
}

void ptx_memory::barrier(weak_state& s, std::span<const std::uint32_t> from,
                         std::span<const std::uint32_t> to) {
  if (from.empty()) return;
  view all = s.lanes[from.front()].known;
  for (const std::uint32_t lane : from) all.join(s.lanes[lane].known);
  for (const std::uint32_t lane : to) s.lanes[lane].known.join(all);
}

void ptx_memory::share_fences(weak_state& s, std::span<const std::uint32_t> lanes) const {
  const auto is_of_fence = [](const lane_knowledge::past_release& r) {
    return r.location == lane_knowledge::any_location;
  };
  std::vector<lane_knowledge::past_release> released;  // by scope
  std::vector<lane_knowledge::seen_release> seen;
  for (const std::uint32_t lane : lanes) {
    if (representative(lane) != representative(lanes.front())) return;
    for (const lane_knowledge::past_release& r : s.lanes[lane].released) {
      if (!is_of_fence(r)) continue;
      const auto same =
          std::ranges::find(released, r.what.scope, [](const auto& one) { return one.what.scope; });
      if (same == released.end()) {
        released.push_back(r);
      } else {
        same->what.known.join(r.what.known);
      }
    }
    for (const lane_knowledge::seen_release& one : s.lanes[lane].seen) {
      if (one.promise == lane_knowledge::no_promise) seen.push_back(one);
    }
  }
  for (const std::uint32_t lane : lanes) {
    lane_knowledge& l = s.lanes[lane];
    std::erase_if(l.released, is_of_fence);
    l.released.insert(l.released.end(), released.begin(), released.end());
    for (const lane_knowledge::seen_release& one : seen) {
      if (includes(one.what.scope, one.what.who, lane)) l.seen.push_back(one);
    }
  }
}

namespace {

void join_arrivals(weak_state& s, std::uint32_t barrier, const view& known) {
  const auto at = std::ranges::lower_bound(s.arrivals, barrier, {}, &barrier_arrivals::barrier);
  if (at != s.arrivals.end() && at->barrier == barrier) {
    at->known.join(known);
  } else {
    s.arrivals.insert(at, {barrier, known});
  }
}

}  // namespace

void ptx_memory::arrive(weak_state& s, std::uint32_t lane, std::uint32_t barrier) {
  join_arrivals(s, barrier, s.lanes[lane].known);
}

// The fence and the arrival are a release pattern, and the wait of another lane of the cluster is
// the acquire pattern. The barrier has the scope of the cluster, so only the fence's scope counts.
// The narrowest fence is for the lanes of the block, and no fence is for a part of the others.
void ptx_memory::arrive_relaxed(weak_state& s, std::uint32_t lane, std::uint32_t barrier,
                                std::uint32_t in_block) const {
  for (const lane_knowledge::past_release& r : s.lanes[lane].released) {
    if (r.location != lane_knowledge::any_location) continue;
    bool is_for_cluster = true;
    for (std::uint32_t other = 0; other < lanes_; ++other) {
      const bool shares_cluster = common_[lane * lanes_ + other] <= sync_scope::cluster;
      if (shares_cluster && !includes(r.what.scope, lane, other)) is_for_cluster = false;
    }
    join_arrivals(s, is_for_cluster ? barrier : in_block, r.what.known);
  }
}

// Whoever passes the barrier comes, in causality order, behind that store: older messages are
// hidden, and accesses to the location are no race with it. Clocks, which stand for all that a lane
// has done, stay at 0.
void ptx_memory::arrive_with_store(weak_state& s, std::uint32_t lane, std::uint32_t barrier,
                                   std::uint16_t x, std::size_t m) {
  view told;
  for (const record_ref& r : s.locations[x].messages[m].records) {
    if (r.lane == lane) told.observed.push_back(r);
  }
  if (told.observed.empty()) return;
  told.at.assign(s.lanes[lane].known.at.size(), 0);
  told.clock.assign(s.lanes[lane].known.clock.size(), 0);
  told.at[x] = static_cast<std::uint16_t>(m);
  join_arrivals(s, barrier, told);
}

void ptx_memory::complete(weak_state& s, std::uint32_t barrier, std::span<const std::uint32_t> to) {
  const auto at = std::ranges::find(s.arrivals, barrier, &barrier_arrivals::barrier);
  if (at == s.arrivals.end()) return;
  for (const std::uint32_t lane : to) s.lanes[lane].known.join(at->known);
}

}  // namespace simt
