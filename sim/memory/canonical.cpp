// Makes the canonical form of a weak memory's state: forgets what no lane can learn any more.
//
// Each rule keeps what may happen from here on, and what lanes see of it:
// - No lane can read a message below what every live lane knows, nor store there. At a location
//   with only read-modify-writes, lanes can only read the last message. Each other message has been
//   read by the one behind it, and nothing comes between the two.
// - A recorded access can be in no race once every other live lane knows that it comes before. Of
//   two equal accesses of a lane, the later one is enough. A lane that does not know the earlier
//   one does not know the later one, and conflicts with both in the same way.
// - The earlier of two equal strong stores is dropped only if each lane that observes the later one
//   has observed the earlier one. While a store is promised, the earlier access is dropped only if
//   both come behind the promise, or neither does. The first access behind a promise always stays.
// - A released view is dropped if every lane that could acquire it knows all of it. A lane that has
//   acquired from an open promise must have known it by then. A released view is also dropped if
//   another one tells at least as much to at least the same lanes.
// - A read-modify-write's message merges with its source if both have the same value and carry the
//   same. Nothing can ever be stored between the two, and readers of either learn the same.
// - The writer of a message matters only for moral strength: at mixed locations, if the message has
//   something to observe. If all strong accesses are for everybody and no read-modify-write is
//   weak, the writer of a strong message does not matter. Every strong access observes that
//   message, and a weak load of its own lane observes nothing new.
//
// Axioms: none is realized here; those of ptx_memory.cpp stay valid.
#include <algorithm>

#include "sim/memory/ptx_memory.hpp"

namespace simt {
namespace {

/// Removes message `index` of location `x`. Positions that pointed to it point to the message
/// before, or to the first one.
void remove_message(weak_state& s, std::size_t x, std::size_t index) {
  auto& all = s.locations[x].messages;
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(index));
  s.for_each_position(x, [&](std::uint16_t& position) {
    if (position > 0 && position >= index) --position;
  });
}

void remove_refs(std::vector<record_ref>& refs, std::uint32_t lane, std::size_t index) {
  std::erase(refs, record_ref{static_cast<std::uint16_t>(lane), static_cast<std::uint16_t>(index)});
  for (record_ref& r : refs) {
    if (r.lane == lane && r.index > index) --r.index;
  }
}

void remove_record(weak_state& s, std::uint32_t lane, std::size_t index) {
  auto& all = s.records[lane];
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(index));
  s.for_each_view([&](view& v) {
    if (v.clock[lane] > index) --v.clock[lane];
    if (!v.observed.empty()) remove_refs(v.observed, lane, index);
  });
  for (memory_location& x : s.locations) {
    for (message& m : x.messages) {
      if (!m.records.empty()) remove_refs(m.records, lane, index);
    }
  }
}

template <class T>
bool sort_unique(std::vector<T>& all) {
  if (all.size() < 2) return false;
  std::ranges::sort(all);
  const auto rest = std::ranges::unique(all);
  const bool any = !rest.empty();
  all.erase(rest.begin(), rest.end());
  return any;
}

class canonical_form {
 public:
  canonical_form(weak_state& s, const memory_facts& facts, const auto& includes,
                 const auto& representative)
      : s_(s), facts_(facts), includes_(includes), representative_(representative) {
    for (std::uint32_t l = 0; l < s.lanes.size(); ++l) {
      if (s.lanes[l].live) live_.push_back(l);
    }
  }

  void make() {
    bury();
    look_at_acquirers();
    join_phases();
    drop_records();
    do {
      drop_messages();
      drop_observed();
      drop_releases();
    } while (collapse());
    drop_locations();
  }

 private:
  weak_state& s_;
  const memory_facts& facts_;
  const std::function<bool(sync_scope, std::uint32_t, std::uint32_t)> includes_;
  const std::function<std::uint16_t(std::uint32_t)> representative_;
  std::vector<std::uint32_t> live_;
  bool has_acquirers_ = false;  // of open promises

  void look_at_acquirers() {
    for_each_acquirer([&](const view&) { has_acquirers_ = true; });
  }

  /// Calls f with what each lane knew that has acquired from an open promise, as of then.
  template <class F>
  void for_each_acquirer(F f) const {
    for (const memory_location& x : s_.locations) {
      for (const message& m : x.messages) {
        for (const message::acquirer& a : m.acquired) {
          if (!a.knew.at.empty()) f(a.knew);
        }
      }
    }
  }

  /// Marks the messages of location `x` that must stay to tell what acquirers of an open promise
  /// did not know. Of each acquirer, these are the message that it knew and the next one. Lowers
  /// `low` to the lowest of these.
  [[nodiscard]] std::vector<bool> told_apart(std::size_t x, std::size_t& low) const {
    if (!has_acquirers_) return {};
    std::vector<bool> kept(s_.locations[x].messages.size() + 1);
    for_each_acquirer([&](const view& knew) {
      low = std::min<std::size_t>(low, knew.at[x]);
      kept[knew.at[x]] = kept[knew.at[x] + 1U] = true;
    });
    return kept;
  }

  // Forgets what ended lanes know. Open promises keep what may be acquired from them:
  // ptx_memory::end_others.
  void bury() {
    for (std::uint32_t lane = 0; lane < s_.lanes.size(); ++lane) {
      lane_knowledge& l = s_.lanes[lane];
      if (l.live) continue;
      l.seen.clear();
      if (!ptx_memory::has_promises(s_, lane)) l.released.clear();
      l.fenced = false;
      std::ranges::fill(l.known.at, 0);
      std::ranges::fill(l.known.clock, 0);
      l.known.observed.clear();
    }
  }

  // Forgets which lane arrived last in a phase of an mbarrier: that makes no difference.
  void join_phases() {
    for (memory_location& x : s_.locations) {
      if (!facts_.is_phased(x.key)) continue;
      for (message& m : x.messages) {
        join_releases(m.carries);
        if (!m.chained) continue;
        m.writer = representative_(m.writer);
        m.scope = sync_scope::cta;
      }
    }
  }

  /// Joins views of the same CTA and scope: a lane that acquires one of them acquires all.
  static void join_releases(std::vector<released_view>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t other = all.size(); other-- > i + 1;) {
        if (all[other].who != all[i].who || all[other].scope != all[i].scope) continue;
        all[i].known.join(all[other].known);
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(other));
      }
    }
  }

  void drop_messages() {
    for (std::size_t x = 0; x < s_.locations.size(); ++x) {
      auto& all = s_.locations[x].messages;
      std::size_t hidden = all.size() - 1;  // messages below are hidden from all lanes
      const bool is_chain = !facts_.ordinary.contains(s_.locations[x].key);
      if (!is_chain) {
        for (const std::uint32_t l : live_) {
          hidden = std::min<std::size_t>(hidden, s_.lanes[l].known.at[x]);
        }
      }
      // A promise that its lane has passed cannot be kept. It stays, so that the caller sees that.
      std::size_t low = hidden;
      const auto promise = std::ranges::find_if(all, &message::promised);
      if (promise != all.end()) {
        const auto number = static_cast<std::size_t>(promise - all.begin());
        low = std::min(low, is_chain && number > 0 ? number - 1 : number);
      }
      const std::vector<bool> kept = told_apart(x, low);
      // Drops messages that are hidden, but lie behind a promise. The promise's owner does not know
      // them: it has ended, or the location has only read-modify-writes. The message before a
      // promised read-modify-write stays, for that will read it.
      for (std::size_t m = hidden; m-- > low + 1;) {
        if (all[m].promised || (all[m + 1].promised && all[m + 1].chained)) continue;
        if (!kept.empty() && kept[m]) continue;
        all[m + 1].linked = all[m + 1].linked && all[m].linked;
        remove_message(s_, x, m);
      }
      // The message in front of arrivals stays: only with it can they be recognized as arrivals.
      const bool is_phased = facts_.is_phased(s_.locations[x].key);
      if (is_phased && ptx_memory::is_of_arrivals(all, low)) --low;
      if (low > 0) {
        all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(low));
        s_.for_each_position(x, [&](std::uint16_t& position) {
          position = static_cast<std::uint16_t>(position > low ? position - low : 0);
        });
      }
      all.front().chained = false;
      all.front().linked = false;
    }
  }

  void drop_records() {
    for (std::uint32_t lane = 0; lane < s_.records.size(); ++lane) {
      auto& all = s_.records[lane];
      std::size_t known = all.size();
      for (const std::uint32_t l : live_) {
        if (known == 0) break;
        if (l != lane) known = std::min<std::size_t>(known, s_.lanes[l].known.clock[lane]);
      }
      for (; known > 0; --known) remove_record(s_, lane, 0);
      for (std::size_t i = all.size(); i-- > 0;) {
        const auto later =
            std::find(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(), all[i]);
        if (later == all.end()) continue;
        const auto number = static_cast<std::size_t>(later - all.begin());
        if (!observes_both(lane, i, number) || is_first_behind(lane, i)) continue;
        remove_record(s_, lane, i);
      }
    }
  }

  /// Whether each view and message that has the lane's later store also has the earlier one, or
  /// knows that it comes before.
  [[nodiscard]] bool observes_both(std::uint32_t lane, std::size_t earlier, std::size_t later) {
    const record_ref first{static_cast<std::uint16_t>(lane), static_cast<std::uint16_t>(earlier)};
    const record_ref second{static_cast<std::uint16_t>(lane), static_cast<std::uint16_t>(later)};
    const auto misses_first = [&](const std::vector<record_ref>& refs) {
      return std::ranges::binary_search(refs, second) && !std::ranges::binary_search(refs, first);
    };
    bool both = true;
    s_.for_each_view([&](const view& v) {
      if (v.clock[lane] <= earlier && misses_first(v.observed)) both = false;
    });
    for (const memory_location& x : s_.locations) {
      for (const message& m : x.messages) both = both && !misses_first(m.records);
    }
    return both;
  }

  /// Whether this record is the lane's first access behind a promise. A lane that knows the record
  /// comes behind that promise, too.
  [[nodiscard]] bool is_first_behind(std::uint32_t lane, std::size_t record) {
    const auto is_its = [&](record_ref r) { return r.lane == lane; };
    return std::ranges::any_of(s_.locations, [&](const memory_location& x) {
      return std::ranges::any_of(x.messages, [&](const message& m) {
        const auto first = std::ranges::find_if(m.records, is_its);
        return m.promised && first != m.records.end() && first->index == record;
      });
    });
  }

  void drop_observed() {
    s_.for_each_view([](view& v) {
      std::erase_if(v.observed, [&](record_ref r) { return r.index < v.clock[r.lane]; });
    });
    for (memory_location& x : s_.locations) {
      for (message& m : x.messages) sort_unique(m.records);
    }
  }

  [[nodiscard]] bool all_know(const released_view& r, std::uint32_t but) const {
    return std::ranges::all_of(live_, [&](std::uint32_t l) {
      return l == but || !includes_(r.scope, r.who, l) || r.known.is_within(s_.lanes[l].known);
    });
  }

  /// Whether all lanes that have acquired from an open promise knew `r` when they did.
  [[nodiscard]] bool all_knew(const released_view& r) const {
    bool all = true;
    if (has_acquirers_) {
      for_each_acquirer([&](const view& knew) { all = all && r.known.is_hidden_in(knew); });
    }
    return all;
  }

  /// Drops later acquisitions by the same lane and scope: the lane knew least at the first one.
  static void drop_later(std::vector<message::acquirer>& all) {
    for (std::size_t i = all.size(); i-- > 0;) {
      const bool later = std::ranges::any_of(all, [&](const message::acquirer& other) {
        return &other != &all[i] && other.lane == all[i].lane && other.scope == all[i].scope &&
               !other.knew.at.empty() && other.knew.is_hidden_in(all[i].knew);
      });
      if (later) all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  /// Drops views that tell less than another one of the same CTA and scope.
  static void drop_dominated(std::vector<released_view>& all) {
    sort_unique(all);
    for (std::size_t i = all.size(); i-- > 0;) {
      const bool less = std::ranges::any_of(all, [&](const released_view& other) {
        return &other != &all[i] && other.who == all[i].who && other.scope >= all[i].scope &&
               all[i].known.is_within(other.known);
      });
      if (less) all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  /// Drops views that tell no more than another one which `covers` all that they are for.
  template <class T>
  static void drop_lesser(std::vector<T>& all, auto covers) {
    for (std::size_t i = all.size(); i-- > 0;) {
      const bool less = std::ranges::any_of(all, [&](const T& other) {
        return &other != &all[i] && covers(all[i], other) &&
               all[i].what.known.is_within(other.what.known);
      });
      if (less) all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void drop_releases() {
    constexpr std::uint32_t nobody = 0xffffffff;
    for (memory_location& x : s_.locations) {
      const bool mixed = facts_.mixed.contains(x.key);
      for (message& m : x.messages) {
        std::erase_if(m.carries,
                      [&](const released_view& r) { return all_know(r, nobody) && all_knew(r); });
        drop_dominated(m.carries);
        const bool may_be_observed = !m.carries.empty() || !m.records.empty();
        sort_unique(m.acquired);
        drop_later(m.acquired);
        if (m.promised) continue;
        // Every strong access observes the message, whichever lane wrote it (ptx_memory::observes).
        if (m.strong && !facts_.narrow) m.writer = 0;
        if (mixed && may_be_observed) continue;
        m.strong = false;
        m.scope = {};
        m.writer = 0;
      }
    }
    for (std::uint32_t lane = 0; lane < s_.lanes.size(); ++lane) {
      lane_knowledge& l = s_.lanes[lane];
      std::erase_if(l.seen, [&](const auto& seen) {
        return seen.promise == lane_knowledge::no_promise && seen.what.known.is_within(l.known);
      });
      std::erase_if(l.released,
                    [&](const auto& r) { return all_know(r.what, lane) && all_knew(r.what); });
      sort_unique(l.seen);
      drop_lesser(l.seen, [](const auto& less, const auto& more) {
        return less.promise == lane_knowledge::no_promise && more.promise == less.promise &&
               less.location == more.location && less.what.who == more.what.who;
      });
      std::ranges::sort(l.released);
      drop_lesser(l.released, [](const auto& less, const auto& more) {
        const bool everywhere = more.location == lane_knowledge::any_location;
        return (everywhere || less.location == more.location) && less.what.scope <= more.what.scope;
      });
    }
    std::erase_if(s_.arrivals, [&](const barrier_arrivals& a) {
      return std::ranges::all_of(
          live_, [&](std::uint32_t l) { return a.known.is_within(s_.lanes[l].known); });
    });
    std::erase_if(s_.fences, [&](const released_view& r) { return all_know(r, nobody); });
    std::ranges::sort(s_.fences);
  }

  bool collapse() {
    bool any = false;
    for (std::size_t x = 0; x < s_.locations.size(); ++x) {
      if (facts_.is_phased(s_.locations[x].key)) continue;
      auto& all = s_.locations[x].messages;
      for (std::size_t m = all.size(); m-- > 1;) {
        const message &here = all[m], &source = all[m - 1];
        const bool same = here.chained && !here.promised && !source.promised &&
                          here.linked == source.linked && here.rank == source.rank &&
                          here.value == source.value && here.carries == source.carries &&
                          here.records == source.records && here.strong == source.strong &&
                          here.scope == source.scope && here.writer == source.writer;
        if (!same) continue;
        remove_message(s_, x, m);
        any = true;
      }
    }
    return any;
  }

  void drop_locations() {
    for (std::size_t x = s_.locations.size(); x-- > 0;) {
      const memory_location& here = s_.locations[x];
      if (here.messages.size() > 1 || here.messages.front().promised ||
          !here.messages.front().carries.empty() || !here.messages.front().records.empty()) {
        continue;
      }
      const bool is_named = std::ranges::any_of(s_.lanes, [&](const lane_knowledge& l) {
        return std::ranges::any_of(l.seen, [&](const auto& r) { return r.location == x; }) ||
               std::ranges::any_of(l.released, [&](const auto& r) { return r.location == x; });
      });
      if (is_named) continue;
      s_.locations.erase(s_.locations.begin() + static_cast<std::ptrdiff_t>(x));
      s_.for_each_view([&](view& v) { v.at.erase(v.at.begin() + static_cast<std::ptrdiff_t>(x)); });
      for (lane_knowledge& l : s_.lanes) {
        for (auto& r : l.seen) {
          if (r.location > x) --r.location;
        }
        for (auto& r : l.released) {
          if (r.location != lane_knowledge::any_location && r.location > x) --r.location;
        }
      }
    }
  }
};

}  // namespace

void ptx_memory::canonicalize(weak_state& s) const {
  canonical_form(
      s, facts_,
      [this](sync_scope scope, std::uint32_t whose, std::uint32_t other) {
        return includes(scope, whose, other);
      },
      [this](std::uint32_t lane) { return representative(lane); })
      .make();
}

}  // namespace simt
