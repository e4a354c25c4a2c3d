// What a memory may do under the PTX memory model: which messages a load may read, where a store
// may go, what fences and barriers tell.
//
// Models: scopes, release and acquire patterns, observation through read-modify-writes, fence.sc,
// barriers, causality, partial orders at each location up to the first race, races.
// Does not model: accesses of different sizes that overlap; stores that become visible before the
// instructions in front of them are carried out (load buffering). After a race positions mean
// nothing: who uses this stops there.
//
// docs/memory-model.md, "The machine", says which axiom each rule realizes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "sim/memory/weak_state.hpp"

namespace simt {

/// How an instruction accesses memory. Of a read-modify-write, `acquire` is of its load and
/// `release` of its store.
struct memory_access {
  bool strong = false;
  bool acquire = false;
  bool release = false;
  sync_scope scope{};
};

/// What is known of a program. The less, the smaller the states; too little is wrong.
struct memory_facts {
  std::set<std::uint32_t> mixed;  // locations with a store, whose accesses are not all strong and
                                  // for everybody
  bool narrow = false;            // some operation is not meant for everybody
  friend bool operator==(const memory_facts&, const memory_facts&) = default;
};

/// The earlier access of a race.
struct race_partner {
  std::uint32_t lane = 0;
  access_record access;
};

class ptx_memory {
 public:
  /// `common(a, b)`: the smallest scope that contains both lanes.
  using common_scopes = std::function<sync_scope(std::uint32_t, std::uint32_t)>;

  ptx_memory(std::uint32_t lanes, const common_scopes& common, memory_facts facts);

  [[nodiscard]] weak_state initial() const;
  [[nodiscard]] const memory_facts& facts() const { return facts_; }
  /// States so far are void.
  void set_facts(memory_facts facts) { facts_ = std::move(facts); }
  /// Whether `scope` contains all lanes, for each of them.
  [[nodiscard]] bool is_for_everybody(sync_scope scope) const;

  /// The location's place in the state's list; where it is not there, it is added with one message.
  static std::uint16_t locate(weak_state& s, std::uint32_t key, std::uint8_t size,
                              std::uint64_t value);

  /// Whether `lane` may read that message; may store between it and the one before; may read it
  /// and store right behind it, as one.
  static bool may_read(const weak_state& s, std::uint32_t lane, std::uint16_t x, std::size_t m) {
    return m >= s.lanes[lane].known.at[x];
  }
  static bool may_store(const weak_state& s, std::uint32_t lane, std::uint16_t x, std::size_t m) {
    const auto& all = s.locations[x].messages;
    return m > s.lanes[lane].known.at[x] && (m == all.size() || !all[m].chained);
  }
  static bool may_update(const weak_state& s, std::uint32_t lane, std::uint16_t x, std::size_t m) {
    const auto& all = s.locations[x].messages;
    return may_read(s, lane, x, m) && (m + 1 == all.size() || !all[m + 1].chained);
  }

  // Steps. Each tells of a race, with an access that was carried out before.

  std::optional<race_partner> load(weak_state& s, std::uint32_t lane, const memory_access& how,
                                   std::uint16_t x, std::size_t message) const;
  std::optional<race_partner> store(weak_state& s, std::uint32_t lane, const memory_access& how,
                                    std::uint16_t x, std::size_t message,
                                    std::uint64_t value) const;
  /// Reads `message` and stores behind it. `observes`: it can begin an acquire pattern (`red`
  /// cannot).
  std::optional<race_partner> update(weak_state& s, std::uint32_t lane, const memory_access& how,
                                     std::uint16_t x, std::size_t message, std::uint64_t value,
                                     bool observes = true) const;
  void fence(weak_state& s, std::uint32_t lane, bool sc, sync_scope scope) const;
  /// What is behind a barrier in `to` comes after what is before it in `from`.
  static void barrier(weak_state& s, std::span<const std::uint32_t> from,
                      std::span<const std::uint32_t> to);
  /// The same in two parts: `lane` arrives; and those in `to` go on, behind all who have arrived.
  static void arrive(weak_state& s, std::uint32_t lane, std::uint32_t barrier);
  static void complete(weak_state& s, std::uint32_t barrier, std::span<const std::uint32_t> to);
  /// The barrier may be used again: nobody has arrived.
  static void reopen(weak_state& s, std::uint32_t barrier) {
    std::erase_if(s.arrivals, [&](const barrier_arrivals& a) { return a.barrier == barrier; });
  }
  /// The lane has ended.
  static void end(weak_state& s, std::uint32_t lane) { s.lanes[lane].live = false; }

  /// Forgets all that cannot make a difference to what comes, so that states that behave alike are
  /// equal.
  void canonicalize(weak_state& s) const;

 private:
  std::uint32_t lanes_;
  std::vector<sync_scope> common_;  // lanes_ squared
  memory_facts facts_;

  [[nodiscard]] bool is_mixed(std::uint32_t key) const { return facts_.mixed.contains(key); }
  [[nodiscard]] bool includes(sync_scope scope, std::uint32_t whose, std::uint32_t other) const {
    return !facts_.narrow || scope >= common_[whose * lanes_ + other];
  }
  [[nodiscard]] sync_scope narrowed(std::uint32_t lane, sync_scope scope) const;
  [[nodiscard]] std::uint16_t representative(std::uint32_t lane) const;
  void observe(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
               std::size_t message, bool observes) const;
  [[nodiscard]] bool observes(const memory_location& x, const message& m, std::uint32_t lane,
                              const memory_access& how) const;
  void acquire(weak_state& s, std::uint32_t lane, sync_scope scope, std::uint16_t x) const;
  std::optional<race_partner> note(weak_state& s, std::uint32_t lane, const memory_access& how,
                                   std::uint16_t x, bool writes) const;
  void put(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
           std::size_t message, std::uint64_t value, bool chained) const;
  void release(weak_state& s, std::uint32_t lane, std::uint16_t location, sync_scope scope) const;
};

}  // namespace simt
