// Moves lanes to their new places in all lists and views of a state. Axioms: none.
#include "sim/memory/lane_names.hpp"

#include <algorithm>
#include <numeric>

namespace simt {
namespace {

using number = std::uint64_t;

number mixed(number so_far, number next) {
  number h = (so_far ^ next) * 0x9e3779b97f4a7c15U;
  return h ^ h >> 29;
}

template <class T>
void permute(std::vector<T>& all, std::span<const std::uint32_t> place_of) {
  std::vector<T> moved(all.size());
  for (std::size_t l = 0; l < all.size(); ++l) moved[place_of[l]] = std::move(all[l]);
  all.swap(moved);
}

class renaming_of_lanes {
 public:
  renaming_of_lanes(std::span<const std::uint32_t> place_of,
                    std::span<const std::uint16_t> stands_for)
      : place_of_(place_of), stands_for_(stands_for) {}

  void apply(weak_state& s) const {
    s.for_each_view([this](view& v) {
      const view::counts clock = v.clock;
      for (std::size_t l = 0; l < clock.size(); ++l) v.clock[place_of_[l]] = clock[l];
      rename(v.observed);
    });
    for (memory_location& x : s.locations) {
      for (message& m : x.messages) {
        m.writer = name(m.writer);
        rename(m.records);
        for (message::acquirer& a : m.acquired) a.lane = name(a.lane);
        for (released_view& r : m.carries) rename(r);
      }
    }
    for (lane_knowledge& l : s.lanes) {
      for (auto& seen : l.seen) {
        if (seen.promise == lane_knowledge::no_promise) rename(seen.what);
      }
      for (auto& past : l.released) rename(past.what);
    }
    for (released_view& r : s.fences) rename(r);
    permute(s.lanes, place_of_);
    permute(s.records, place_of_);
  }

 private:
  std::span<const std::uint32_t> place_of_;
  std::span<const std::uint16_t> stands_for_;

  [[nodiscard]] std::uint16_t name(std::uint16_t lane) const {
    return static_cast<std::uint16_t>(place_of_[lane]);
  }
  void rename(released_view& r) const { r.who = stands_for_[name(r.who)]; }
  void rename(std::vector<record_ref>& refs) const {
    for (record_ref& r : refs) r.lane = name(r.lane);
    std::ranges::sort(refs);
  }
};

number of_positions(const view& v) {
  number h = v.observed.size();
  for (const std::uint16_t at : v.at) h = mixed(h, at);
  return h;
}

/// A hash of what the state says of a lane without naming another lane.
number alone(const weak_state& s, std::uint32_t lane) {
  const lane_knowledge& l = s.lanes[lane];
  number h = mixed(l.live ? 1 : 0, l.fenced ? 1 : 0);
  h = mixed(h, of_positions(l.known));
  h = mixed(h, l.known.clock[lane]);
  for (const access_record& r : s.records[lane]) {
    h = mixed(h, r.key);
    h = mixed(h, static_cast<number>(r.scope) << 2 | (r.writes ? 2U : 0U) | (r.strong ? 1U : 0U));
  }
  // Some lists are sorted by names of lanes, so their elements are summed: sums ignore the order.
  number all = 0;
  for (const auto& seen : l.seen) {
    number one = mixed(seen.location, seen.promise);
    if (seen.promise == lane_knowledge::no_promise) {
      one = mixed(mixed(one, static_cast<number>(seen.what.scope)), of_positions(seen.what.known));
    }
    all += one;
  }
  h = mixed(h, all);
  all = 0;
  for (const auto& past : l.released) {
    all += mixed(mixed(past.location, static_cast<number>(past.what.scope)),
                 of_positions(past.what.known));
  }
  h = mixed(h, all);
  all = 0;
  for (const memory_location& x : s.locations) {
    for (std::size_t m = 0; m < x.messages.size(); ++m) {
      const message& it = x.messages[m];
      if (it.promised && it.writer == lane) all += mixed(mixed(x.key, m), 1);
      for (const message::acquirer& a : it.acquired) {
        if (a.lane == lane) all += mixed(mixed(x.key, m), 2 + static_cast<number>(a.scope));
      }
      for (const record_ref r : it.records) {
        if (r.lane == lane) all += mixed(mixed(mixed(x.key, m), r.index), 8);
      }
    }
  }
  return mixed(h, all);
}

}  // namespace

void rename_lanes(weak_state& s, std::span<const std::uint32_t> place_of,
                  std::span<const std::uint16_t> stands_for) {
  renaming_of_lanes(place_of, stands_for).apply(s);
}

void rename_locations(weak_state& s, std::span<const std::uint32_t> keys) {
  const std::size_t count = s.locations.size();
  for (std::size_t x = 0; x < count; ++x) s.locations[x].key = keys[x];
  if (std::ranges::is_sorted(keys)) return;
  std::vector<std::uint16_t> order(count), place_of(count);
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  std::ranges::sort(order, {}, [&](std::uint16_t x) { return keys[x]; });
  std::vector<memory_location> sorted;
  for (std::uint16_t place = 0; place < count; ++place) {
    place_of[order[place]] = place;
    sorted.push_back(std::move(s.locations[order[place]]));
  }
  s.locations.swap(sorted);
  s.for_each_view([&](view& v) {
    const view::counts at = v.at;
    for (std::size_t x = 0; x < count; ++x) v.at[place_of[x]] = at[x];
  });
  for (lane_knowledge& l : s.lanes) {
    for (auto& seen : l.seen) seen.location = place_of[seen.location];
    for (auto& past : l.released) {
      if (past.location != lane_knowledge::any_location) past.location = place_of[past.location];
    }
  }
}

std::vector<std::uint32_t> lane_signatures(const weak_state& s) {
  const auto lanes = static_cast<std::uint32_t>(s.lanes.size());
  std::vector<number> before(lanes);
  for (std::uint32_t l = 0; l < lanes; ++l) before[l] = alone(s, l);
  std::vector<std::uint32_t> result(lanes);
  for (std::uint32_t l = 0; l < lanes; ++l) {
    number all = 0;
    for (std::uint32_t other = 0; other < lanes; ++other) {
      if (other == l) continue;
      const number between =
          number{s.lanes[l].known.clock[other]} << 16 | s.lanes[other].known.clock[l];
      all += mixed(before[other], between);
    }
    result[l] = static_cast<std::uint32_t>(mixed(before[l], all));
  }
  return result;
}

}  // namespace simt
