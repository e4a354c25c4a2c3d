// The canonical form of a weak memory's state: what nobody can learn any more is forgotten.
//
// Each step keeps what may happen from here on, and what is seen of it:
// - A message below what every live lane knows can be read by nobody, and nobody stores below it.
//   At a location with nothing but read-modify-writes, only the last message can be read: each of
//   the others has been read by the one behind it, and nothing comes between the two.
// - A recorded access that every other live lane knows to come before can be in no race any more.
//   Of two alike of one lane the later one is enough: who does not know the earlier one does not
//   know the later one either, and conflicts with it in the same way. (Of strong stores, only if
//   whoever observes the later one has observed the earlier one. And while a store is promised,
//   only if both come behind it, or neither does; and not of the first one that does.)
// - What a release tells is dropped where everybody who could acquire it knows it (and knew it
//   when he acquired from a promise that is open), and where another one, for the same lanes or
//   more, tells it too.
// - A message that a read-modify-write has put behind its source, with the same value and carrying
//   the same, is one with its source: nothing can ever be stored between the two, and who reads
//   either learns the same.
// - Who wrote a message matters only for moral strength, so only where that is not given (mixed
//   locations), and only if there is something to observe. Of a strong message, where all strong
//   accesses are for everybody and no read-modify-write is weak, it does not matter: every strong
//   access observes it, and a weak load of its own lane observes nothing new.
//
// Axioms: none is realized here; what ptx_memory.cpp realizes stays as it is.
#include <algorithm>

#include "sim/memory/ptx_memory.hpp"

namespace simt {
namespace {

/// Takes entry `index` away from the counts of all views; what pointed there points to the one
/// before, or to nothing.
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

  /// With what each of those knew who have acquired from an open promise.
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

  /// Of a location, what must stay so that it can be told what an acquirer of an open promise did
  /// not know: the message that he knew, and one more.
  [[nodiscard]] std::vector<bool> told_apart(std::size_t x, std::size_t& low) const {
    if (!has_acquirers_) return {};
    std::vector<bool> kept(s_.locations[x].messages.size() + 1);
    for_each_acquirer([&](const view& knew) {
      low = std::min<std::size_t>(low, knew.at[x]);
      kept[knew.at[x]] = kept[knew.at[x] + 1U] = true;
    });
    return kept;
  }

  // Those who have ended know nothing. (Of promises that are open, what may be acquired from them
  // is known: ptx_memory::end_others.)
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

  // Who arrives last in a phase of an mbarrier makes no difference.
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

  /// Who acquires one of those of a CTA and scope acquires all of them.
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
      std::size_t hidden = all.size() - 1;  // what is below is hidden from all
      const bool is_chain = !facts_.ordinary.contains(s_.locations[x].key);
      if (!is_chain) {
        for (const std::uint32_t l : live_) {
          hidden = std::min<std::size_t>(hidden, s_.lanes[l].known.at[x]);
        }
      }
      // (A promise that has been passed cannot be kept any more: that must be seen.)
      std::size_t low = hidden;
      const auto promise = std::ranges::find_if(all, &message::promised);
      if (promise != all.end()) {
        const auto number = static_cast<std::size_t>(promise - all.begin());
        low = std::min(low, is_chain && number > 0 ? number - 1 : number);
      }
      const std::vector<bool> kept = told_apart(x, low);
      // What is hidden behind a promise. (Its owner does not know that: he has ended, or there are
      // only read-modify-writes.) But a promised read-modify-write will read the one before it.
      for (std::size_t m = hidden; m-- > low + 1;) {
        if (all[m].promised || (all[m + 1].promised && all[m + 1].chained)) continue;
        if (!kept.empty() && kept[m]) continue;
        all[m + 1].linked = all[m + 1].linked && all[m].linked;
        remove_message(s_, x, m);
      }
      // (Arrivals are told by the message in front of them.)
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

  /// Whether whoever observes the later store has observed the earlier one, or knows it to come
  /// before.
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

  /// Whether it is the lane's first access behind a promise: who knows it comes behind that, too.
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

  /// Whether those who have acquired from open promises knew it then.
  [[nodiscard]] bool all_knew(const released_view& r) const {
    bool all = true;
    if (has_acquirers_) {
      for_each_acquirer([&](const view& knew) { all = all && r.known.is_hidden_in(knew); });
    }
    return all;
  }

  /// Who acquires twice knew the least when he did so first.
  static void drop_later(std::vector<message::acquirer>& all) {
    for (std::size_t i = all.size(); i-- > 0;) {
      const bool later = std::ranges::any_of(all, [&](const message::acquirer& other) {
        return &other != &all[i] && other.lane == all[i].lane && other.scope == all[i].scope &&
               !other.knew.at.empty() && other.knew.is_hidden_in(all[i].knew);
      });
      if (later) all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  /// Of those that tell less than another one.
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

  /// Of those of which another one `covers` all that they are for, and tells more.
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
        // Every strong access observes it, whoever wrote it (ptx_memory::observes).
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
