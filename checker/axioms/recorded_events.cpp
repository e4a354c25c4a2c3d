// Follows an execution, and keeps for each location the events that made the messages of the
// machine's state.
#include "checker/axioms/recorded_events.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include <simt/detail/mbarrier_word.hpp>

#include "litmus/relations.hpp"
#include "sim/lane/operation_table.hpp"
#include "sim/machine/promises/promised_store.hpp"
#include "sim/machine/walk/replay.hpp"
#include "sim/machine/weak/weak_operation.hpp"

namespace warpcheck {
namespace {

using litmus::event_id;
using litmus::event_kind;
using litmus::no_event;
using stored_value = simt::stored_value;

constexpr std::uint32_t not_yet = ~std::uint32_t{0};  // the index of a promise that is not kept yet

litmus::scope scope_of(simt::sync_scope s) {
  switch (s) {
    case simt::sync_scope::cta: return litmus::scope::cta;
    case simt::sync_scope::cluster: return litmus::scope::cluster;
    case simt::sync_scope::gpu: return litmus::scope::gpu;
    case simt::sync_scope::sys: return litmus::scope::sys;
  }
  return litmus::scope::sys;
}

/// Returns, for each message after a step, its place in the list before the step, of which some
/// messages are forgotten. Nothing if that is not clear. Two messages are equal to the machine if a
/// read-modify-write stores what it has read. Then the newer one is meant.
std::optional<std::vector<std::size_t>> places_before(const std::vector<stored_value>& before,
                                                      const std::vector<stored_value>& after) {
  const auto same = [&](std::size_t b, std::size_t a) {
    const stored_value &x = before[b], &y = after[a];
    return x.value == y.value && x.promised == y.promised && (!x.promised || x.writer == y.writer);
  };
  std::vector<std::size_t> first, last(after.size());
  std::size_t b = 0;
  for (std::size_t a = 0; a < after.size(); ++a, ++b) {
    while (b < before.size() && !same(b, a)) ++b;
    if (b == before.size()) return std::nullopt;
    first.push_back(b);
  }
  b = before.size();
  for (std::size_t a = after.size(); a-- > 0;) {
    while (b > 0 && !same(b - 1, a)) --b;
    if (b == 0) return std::nullopt;
    last[a] = --b;
  }
  // The oldest messages are forgotten first. Others are forgotten only behind promises, and then it
  // must be clear which.
  bool only_oldest = true, one_way = true;
  for (std::size_t a = 0; a < after.size(); ++a) {
    only_oldest = only_oldest && last[a] == before.size() - after.size() + a;
    for (std::size_t m = first[a] + 1; m <= last[a]; ++m) {
      one_way = one_way && before[m].chained && before[m].value == before[m - 1].value;
    }
  }
  if (only_oldest || one_way) return last;
  return std::nullopt;
}

class recorder {
 public:
  recorder(simt::machine& machine, tests_read tests) : machine_(machine), tests_(tests) {
    const auto& lanes = machine.places().lanes;
    for (const simt::place& at : lanes) {
      litmus::thread& t = result_.threads->threads.emplace_back();
      t.place.cta = at.block;
    }
    next_index_.resize(lanes.size());
    recent_loads_.resize(lanes.size());
    result_.events.program = result_.threads.get();
  }

  /// Takes in a step. False: it is not known what happens in it. If there are too many events,
  /// whole() is false, and nothing more is recorded.
  bool take(const simt::choice& by, simt::state_view before, simt::state_view after) {
    if (by.what == simt::choice::kind::promise) {
      promise(by.unit, machine_.promises(before, by.unit).at(by.mask), before);
    } else if (by.what == simt::choice::kind::lane) {
      const simt::operation op = machine_.waits_at(before, by.unit);
      if (op.kind == simt::operation_kind::memory) access(by, op, before);
      if (op.kind == simt::operation_kind::fence) fence(by.unit, op);
    } else if (by.is_step()) {
      meet(by, before);
    }
    return follow_messages(after);
  }

  [[nodiscard]] bool whole() const { return result_.whole; }

  recorded_events finish() && {
    litmus::execution& x = result_.events;
    for (litmus::event& e : x.events) {
      if (e.index == not_yet) e.index = next_index_[e.thread]++;
    }
    const std::uint32_t n = x.size();
    x.present = n == litmus::most_events ? ~litmus::event_set{0} : litmus::only(n) - 1;
    litmus::completion& with = result_.completion;
    with.barriers = with.waits = with.sc = with.coherence = litmus::relation(n);
    for (const auto& [offset, here] : locations_) {
      for (std::size_t i = 0; i < here.coherence.size(); ++i) {
        for (std::size_t j = i + 1; j < here.coherence.size(); ++j) {
          with.coherence.insert(here.coherence[i], here.coherence[j]);
        }
      }
    }
    for (const std::vector<event_id>& together : meetings_) {
      for (const event_id a : together) {
        for (const event_id b : together) {
          if (a != b) with.barriers.insert(a, b);
        }
      }
    }
    for (std::size_t i = 0; i < fences_.size(); ++i) {
      for (std::size_t j = i + 1; j < fences_.size(); ++j) {
        const event_id a = fences_[i], b = fences_[j];
        const bool same_lane = x.events[a].thread == x.events[b].thread;
        if (same_lane || litmus::scopes_include_each_other(x, a, b, {})) with.sc.insert(a, b);
      }
    }
    return std::move(result_);
  }

 private:
  struct location {
    std::uint8_t size = 0;
    std::vector<event_id> coherence;     // all stores so far, in coherence order
    std::vector<event_id> listed;        // the stores that the machine's state lists
    std::vector<stored_value> messages;  // the messages that it lists
  };

  simt::machine& machine_;
  tests_read tests_;
  recorded_events result_{std::make_unique<litmus::program>(), {}, {}, true};
  std::map<std::uint32_t, location> locations_;   // by offset
  std::map<std::uint32_t, std::uint32_t> names_;  // by offset: the axioms' number of the location
  std::vector<std::uint32_t> next_index_;         // by lane: its next index in program order
  // By lane: loads since its last other operation.
  std::vector<std::vector<event_id>> recent_loads_;
  std::vector<std::vector<event_id>> meetings_;  // barrier events, by barrier
  std::vector<event_id> fences_;                 // fence.sc, in their order

  event_id add(std::uint32_t lane, event_kind kind) {
    litmus::execution& x = result_.events;
    const auto id = static_cast<event_id>(x.events.size());
    litmus::event& e = x.events.emplace_back();
    e.kind = kind;
    e.thread = lane;
    if (lane != litmus::no_thread) {
      e.index = next_index_[lane]++;
      if (kind != event_kind::load) recent_loads_[lane].clear();
    }
    x.source.push_back(no_event);
    return id;
  }

  [[nodiscard]] bool has_room(std::size_t events) {
    if (result_.events.events.size() + events > litmus::most_events) result_.whole = false;
    return result_.whole;
  }

  /// Returns the location, with the store that was there first.
  location& at(std::uint32_t offset, std::uint8_t size, simt::state_view state) {
    const auto [it, is_new] = locations_.try_emplace(offset);
    location& here = it->second;
    if (!is_new) return here;
    here.size = size;
    const auto name = static_cast<std::uint32_t>(names_.size());
    names_[offset] = name;
    const event_id first = add(litmus::no_thread, event_kind::initial);
    result_.events.events[first].location = name;
    here.coherence = here.listed = {first};
    here.messages = machine_.stored_at(state, offset, size);
    return here;
  }

  static litmus::memory_order order_of(const simt::memory_access& how, event_kind half) {
    if (!how.strong) return litmus::memory_order::weak;
    if (half == event_kind::load && how.acquire) return litmus::memory_order::acquire;
    if (half == event_kind::store && how.release) return litmus::memory_order::release;
    return litmus::memory_order::relaxed;
  }

  event_id access_event(std::uint32_t lane, event_kind half, const simt::memory_access& how,
                        std::uint32_t offset) {
    const event_id id = add(lane, half);
    describe(result_.events.events[id], half, how, offset);
    return id;
  }

  void describe(litmus::event& e, event_kind half, const simt::memory_access& how,
                std::uint32_t offset) {
    e.order = order_of(how, half);
    e.red = how.returns_nothing;
    e.scope = how.strong ? scope_of(how.scope) : litmus::scope::none;
    e.location = names_.at(offset);
  }

  /// The store is the message `m` from now on.
  static void put(location& here, std::size_t m, event_id store, bool chained,
                  const stored_value& message) {
    const auto behind = [&](event_id e) { return std::ranges::find(here.coherence, e) + 1; };
    // A plain store comes behind the stores that the machine has forgotten between the two.
    const auto place = chained || m == here.listed.size()
                           ? (chained ? behind(here.listed[m - 1]) : here.coherence.end())
                           : std::ranges::find(here.coherence, here.listed[m]);
    here.coherence.insert(place, store);
    here.listed.insert(here.listed.begin() + static_cast<std::ptrdiff_t>(m), store);
    here.messages.insert(here.messages.begin() + static_cast<std::ptrdiff_t>(m), message);
  }

  void promise(std::uint32_t lane, const simt::promised_store& what, simt::state_view before) {
    if (!has_room(2)) return;
    location& here = at(what.offset, what.size, before);
    const event_id store = add(lane, event_kind::store);
    litmus::event& e = result_.events.events[store];
    describe(e, event_kind::store, what.how, what.offset);
    --next_index_[lane];
    e.index = not_yet;
    stored_value message{what.value, what.chained};
    message.writer = static_cast<std::uint16_t>(lane);
    message.promised = true;
    put(here, what.place, store, what.chained, message);
  }

  void access(const simt::choice& by, const simt::operation& op, simt::state_view before) {
    using simt::detail::memory_kind;
    if (!has_room(3)) return;
    const std::uint32_t lane = by.unit;
    const auto reading = machine_.reading_of(before, by);
    if (reading.is_fence) return sc_fence(lane, simt::access_of(op).scope);
    const simt::operation_traits traits = machine_.lanes().traits(before[lane]);
    location& here = at(traits.offset, traits.size, before);
    const simt::memory_access how = simt::access_of(op);
    const std::size_t m =
        here.listed.size() - 1 - std::min<std::size_t>(reading.newer, here.listed.size() - 1);
    const bool stores = op.memory != memory_kind::load && !simt::fails(op, here.messages[m].value);
    const bool loads = op.memory != memory_kind::store;
    event_id load = no_event;
    if (loads) {
      const event_id source = reading.is_of_phase ? told_by(here, m, lane) : here.listed[m];
      if (!stores && repeats(lane, source, how)) return;
      load = access_event(lane, event_kind::load, how, traits.offset);
      result_.events.source[load] = source;
      if (!stores) return recent_loads_[lane].push_back(load);
    }
    event_id store = no_event;
    if ((by.mask & simt::choice::keeps) != 0 && m + 1 < here.listed.size()) {
      store = here.listed[m + 1];
      result_.events.events[store].index = next_index_[lane]++;
      describe(result_.events.events[store], event_kind::store, how, traits.offset);
      recent_loads_[lane].clear();
      here.messages[m + 1].promised = false;
      here.messages[m + 1].chained = loads;
    } else {
      store = access_event(lane, event_kind::store, how, traits.offset);
      stored_value message{simt::apply(op, here.messages[m].value), loads};
      message.writer = static_cast<std::uint16_t>(lane);
      put(here, m + 1, store, loads, message);
    }
    if (!loads) return;
    result_.events.events[load].partner = store;
    result_.events.events[store].partner = load;
  }

  /// Returns the store that a test of an mbarrier reads: message `m`, or one of those of the same
  /// phase that the machine has joined with it.
  [[nodiscard]] event_id told_by(const location& here, std::size_t m, std::uint32_t lane) const {
    const auto is_other_phase = [&](const stored_value& message) {
      return ((message.value ^ here.messages[m].value) & simt::detail::mbarrier_tested) != 0;
    };
    const auto next = static_cast<std::size_t>(
        std::find_if(here.messages.begin() + static_cast<std::ptrdiff_t>(m), here.messages.end(),
                     is_other_phase) -
        here.messages.begin());
    const auto first = std::ranges::find(here.coherence, here.listed[m]);
    const auto end = next < here.listed.size()
                         ? std::ranges::find(here.coherence, here.listed[next])
                         : here.coherence.end();
    if (tests_ == tests_read::newest) return *(end - 1);
    for (auto own = end; --own != first;) {
      if (result_.events.events[*own].thread == lane) return *own;
    }
    return *first;
  }

  [[nodiscard]] bool repeats(std::uint32_t lane, event_id source,
                             const simt::memory_access& how) const {
    return std::ranges::any_of(recent_loads_[lane], [&](event_id earlier) {
      const litmus::event& e = result_.events.events[earlier];
      return result_.events.source[earlier] == source &&
             e.order == order_of(how, event_kind::load) &&
             e.scope == (how.strong ? scope_of(how.scope) : litmus::scope::none);
    });
  }

  void sc_fence(std::uint32_t lane, simt::sync_scope scope) {
    const event_id id = add(lane, event_kind::fence);
    result_.events.events[id].order = litmus::memory_order::sc;
    result_.events.events[id].scope = scope_of(scope);
    fences_.push_back(id);
  }

  void fence(std::uint32_t lane, const simt::operation& op) {
    if (!simt::is_memory_fence(op) || !has_room(1)) return;
    const simt::sync_scope scope = simt::access_of(op).scope;
    if (op.order == simt::memory_order::seq_cst) return sc_fence(lane, scope);
    const event_id id = add(lane, event_kind::fence);
    const simt::fence_sides sides = simt::sides_of(op);
    result_.events.events[id].order =
        sides == simt::fence_sides::acquires   ? litmus::memory_order::acquire
        : sides == simt::fence_sides::releases ? litmus::memory_order::release
                                               : litmus::memory_order::acq_rel;
    result_.events.events[id].scope = scope_of(scope);
  }

  /// Takes in lanes that pass a barrier of their block, or a syncwarp, together.
  void meet(const simt::choice& by, simt::state_view before) {
    std::vector<std::uint32_t> lanes;
    machine_.for_each_lane(by, before, [&](std::uint32_t lane) {
      const simt::operation op = machine_.waits_at(before, lane);
      const bool barrier = op.kind == simt::operation_kind::barrier && is_joint(op.barrier);
      const bool syncwarp = op.kind == simt::operation_kind::collective &&
                            op.collective == simt::detail::collective_kind::syncwarp;
      if (barrier || syncwarp) lanes.push_back(lane);
    });
    if (lanes.size() < 2 || !has_room(lanes.size())) return;
    std::vector<event_id>& together = meetings_.emplace_back();
    for (const std::uint32_t lane : lanes) together.push_back(add(lane, event_kind::barrier));
  }

  bool follow_messages(simt::state_view after) {
    for (auto& [offset, here] : locations_) {
      std::vector<stored_value> now = machine_.stored_at(after, offset, here.size);
      if (now == here.messages) continue;
      const auto kept = places_before(here.messages, now);
      if (!kept) return false;
      std::vector<event_id> listed;
      for (const std::size_t m : *kept) listed.push_back(here.listed[m]);
      here.listed = std::move(listed);
      here.messages = std::move(now);
    }
    return true;
  }
};

}  // namespace

std::optional<recorded_events> record_events(simt::machine& machine, const execution& how,
                                             tests_read tests) {
  std::optional<recorder> record(std::in_place, machine, tests);
  simt::replay run(machine);
  std::vector<simt::choice> choices = how.prefix;
  choices.insert(choices.end(), how.cycle.begin(), how.cycle.end());
  for (const simt::choice& by : choices) {
    const simt::transition* const t = run.find(by);
    if (t == nullptr) return std::nullopt;
    if (t->ends != simt::ending::none) break;
    if (by.what == simt::choice::kind::launch) {
      record.emplace(machine, tests);  // all earlier events are known to all lanes
    } else {
      const bool told = record->take(by, run.state(), run.after(*t));
      if (!record->whole()) break;
      if (!told) return std::nullopt;
    }
    run.take(*t);
  }
  return std::move(*record).finish();
}

std::optional<litmus::axiom> forbidden_by(const recorded_events& recorded) {
  return litmus::violated(recorded.events, recorded.completion);
}

bool is_forbidden(simt::machine& machine, const execution& how) {
  if (machine.setup().model.memory != simt::memory_model::ptx) return false;
  return std::ranges::all_of(std::array{tests_read::oldest, tests_read::newest},
                             [&](tests_read tests) {
                               const auto recorded = record_events(machine, how, tests);
                               return recorded && forbidden_by(*recorded);
                             });
}

}  // namespace warpcheck
