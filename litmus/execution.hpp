// A candidate execution: events, and which store each load reads from.
#pragma once

#include <optional>
#include <vector>

#include "litmus/program.hpp"
#include "litmus/relation.hpp"

namespace litmus {

enum class event_kind : std::uint8_t { initial, load, store, fence, proxy_fence, barrier };

inline constexpr std::uint32_t no_thread = ~std::uint32_t{0};
inline constexpr event_id no_event = ~event_id{0};

struct event {
  event_kind kind = event_kind::initial;
  memory_order order = memory_order::weak;
  litmus::scope scope = litmus::scope::none;
  litmus::proxy proxy = proxy::generic;
  bool red = false;  // half of a red
  std::uint32_t thread = no_thread;
  std::uint32_t index = 0;  // in program order, from 0
  std::uint32_t location = 0;
  std::uint32_t address = 0;  // of the location
  std::uint32_t instruction = 0;
  event_id partner = no_event;         // the other half of a read-modify-write
  std::optional<litmus::value> value;  // read, stored, or the barrier's resource
  std::optional<litmus::value> quorum;
  event_set data = 0;     // loads that what it stores, or a barrier's operand, is computed of
  event_set control = 0;  // loads that branches in front of it look at

  [[nodiscard]] event_set depends() const { return data | control; }
  [[nodiscard]] bool accesses() const {
    return kind == event_kind::load || kind == event_kind::store || kind == event_kind::initial;
  }
  [[nodiscard]] bool stores() const {
    return kind == event_kind::store || kind == event_kind::initial;
  }
};

struct execution {
  const litmus::program* program = nullptr;
  std::vector<event> events;     // the first ones are the initial stores, one a location
  event_set present = 0;         // events that are not there are in no relation
  std::vector<event_id> source;  // by load: the store that it reads from; else no_event
  /// For each thread that is a copy: the index of its issuer's next event when it began. Empty if
  /// no thread is a copy.
  std::vector<std::uint32_t> issued_at;

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(events.size()); }
  [[nodiscard]] const instruction& instruction_of(event_id e) const {
    return program->threads[events[e].thread].instructions[events[e].instruction];
  }

  template <class Predicate>
  [[nodiscard]] event_set those(Predicate p) const {
    event_set set = 0;
    for_each(present, [&](event_id e) {
      if (p(events[e])) set |= only(e);
    });
    return set;
  }
  [[nodiscard]] event_set stores() const {
    return those([](const event& e) { return e.stores(); });
  }
};

/// The orders with which a model completes an execution before the axioms judge it.
struct completion {
  relation barriers;   // synchronization by CTA barriers
  relation waits;      // from an arrival to all that comes behind a barrier that waits for it
  relation sc;         // order of fence.sc
  relation coherence;  // a strict partial order of each location's stores
};

}  // namespace litmus
