// What a memory may do under the PTX memory model: which messages a load may read, where a store
// may go, what fences and barriers tell.
//
// Models: scopes, release and acquire patterns, observation through read-modify-writes, fence.sc,
// barriers, causality, partial orders at each location up to the first race, races; stores that are
// visible before the instructions in front of them are carried out (load buffering), by promises.
// Does not model: accesses of different sizes that overlap. After a race positions mean nothing:
// who uses this stops there. Which stores may be promised, and that each promise is kept, is up to
// who uses this.
//
// docs/memory-model.md, "The machine", says which axiom each rule realizes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
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
  /// `red`: nobody learns what was read, so it begins no acquire pattern.
  bool returns_nothing = false;
  /// Stores that are promised may be acquired from as if they were there, and nothing is a race: to
  /// ask what a lane could do alone.
  bool is_alone = false;
  /// A load that is in a race with whatever a store is in one with.
  bool conflicts_as_store = false;
  std::uint32_t rank = 0;  // of the message that it makes
};

/// A collective that answers something (a vote, a shuffle), as one lane calls it.
struct vote {
  std::uint64_t place = 0;  // bytes from the beginning of the subject's code
  std::uint64_t value = 0;  // the lane's own
  std::uint32_t mask = 0;
  std::uint32_t shfl = 0;  // pack_shfl
  std::uint32_t lane = 0;  // its place in the warp; 0 where lanes of a warp may change places
  friend auto operator<=>(const vote&, const vote&) = default;
};

/// What lanes of a warp have been seen to answer to it.
struct vote_answers {
  std::set<std::uint64_t> values;
  bool asked = false;  // it was asked what they are: more of them make void what rests on that
  friend bool operator==(const vote_answers&, const vote_answers&) = default;
};

/// What is known of a program. The less, the smaller the states; too little is wrong.
struct memory_facts {
  std::set<std::uint32_t> mixed;  // locations with a store, whose accesses are not all strong and
                                  // for everybody
  // Locations with an ordinary access: a load, a store, or a compare-exchange (which may fail, and
  // is a load then). At others there are only read-modify-writes, so their messages are one chain.
  std::set<std::uint32_t> ordinary;
  // Locations that somebody stores to and that several lanes access.
  std::set<std::uint32_t> shared;
  // Those of them of which some access was listed while another lane might still come to one that
  // conflicts with it. At others there is nothing weak, since one lane uses them, nobody stores, or
  // barriers keep the accesses apart: the machine keeps these as one memory in order, and they are
  // no business of the rules.
  std::set<std::uint32_t> contested;
  bool all_contested = false;  // each location is taken for one: nothing is learnt of them
  // Contested locations of which some access had several messages to read, or to store behind.
  std::set<std::uint32_t> wavering;
  // Some strong operation is not meant for everybody, or some read-modify-write is weak.
  bool narrow = false;
  // Some strong access is not at once a release (if it stores) and an acquire (if it loads), for
  // everybody; or lanes wait for each other: stores may be visible early (promises.cpp).
  bool unsynchronized = false;
  // Then: in some state a load may return what comes behind it (load_buffering.cpp).
  bool may_buffer = false;
  std::map<vote, vote_answers> votes;
  // Locations with weak loads of whose values it depends what strong operations lanes come to.
  std::set<std::uint32_t> telling;
  // Locations that are mbarriers. Of those that are not unphased, lanes of one CTA learn the phase
  // alone, by accesses that synchronize, and know of a phase when they arrive in it.
  std::set<std::uint32_t> mbarriers, unphased;
  // What may be promised only because of what others have promised was too much to look for.
  bool gave_up_bursts = false;
  /// An mbarrier of which messages of one phase are one. docs/reductions.md, "Phases of mbarriers".
  [[nodiscard]] bool is_phased(std::uint32_t key) const {
    return mbarriers.contains(key) && !unphased.contains(key);
  }
  friend bool operator==(const memory_facts&, const memory_facts&) = default;
};

/// The earlier access of a race.
struct race_partner {
  std::uint32_t lane = 0;
  access_record access;
};

/// What comes of a step.
struct memory_effect {
  /// False: it cannot be carried out now (it would acquire from a release that has not happened),
  /// or never (somebody has acquired from a promise what this release would have told).
  bool possible = true;
  std::optional<race_partner> race;
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

  /// The location's place in the state's list; where it is not there, it is added with one message.
  static std::uint16_t locate(weak_state& s, std::uint32_t key, std::uint8_t size,
                              std::uint64_t value);

  // `m` is a message of location `x`, by its place in coherence order.

  /// Whether `lane` may read `m`.
  static bool may_read(const weak_state& s, std::uint32_t lane, std::uint16_t x, std::size_t m) {
    const message& it = s.locations[x].messages[m];
    return m >= s.lanes[lane].known.at[x] && !(it.promised && it.writer == lane);
  }
  /// Whether something may come between `m` (which may be one more than there are) and the one
  /// before.
  static bool is_gap(const weak_state& s, std::uint16_t x, std::size_t m) {
    const auto& all = s.locations[x].messages;
    return m == all.size() || !all[m].chained || all[m].open;
  }
  /// Whether it may store there.
  static bool may_store(const weak_state& s, std::uint32_t lane, std::uint16_t x, std::size_t m) {
    return m > s.lanes[lane].known.at[x] && is_gap(s, x, m);
  }
  /// Whether it may read `m` and store right behind it, as one.
  static bool may_update(const weak_state& s, std::uint32_t lane, std::uint16_t x, std::size_t m) {
    return may_read(s, lane, x, m) && is_gap(s, x, m + 1);
  }

  // Of an mbarrier whose messages are joined by phases (memory_facts::is_phased), the list has for
  // each phase the message that begins it, and behind it one for all arrivals in it.

  /// Whether tests of an mbarrier find the same in both.
  static bool are_of_one_phase(const message& a, const message& b);
  /// Whether message `m` stands for the arrivals of a phase.
  static bool is_of_arrivals(const std::vector<message>& all, std::size_t m) {
    return m > 0 && are_of_one_phase(all[m], all[m - 1]);
  }

  // Steps.

  memory_effect load(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
                     std::size_t m) const;
  /// The new message is `m`.
  memory_effect store(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
                      std::size_t m, std::uint64_t value) const;
  /// Reads `m` and stores behind it.
  memory_effect update(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
                       std::size_t m, std::uint64_t value) const;
  /// A test of an mbarrier finds that the phase goes on in which the lane has arrived: it learns
  /// nothing.
  memory_effect test_again(weak_state& s, std::uint32_t lane, const memory_access& how,
                           std::uint16_t x) const;
  memory_effect fence(weak_state& s, std::uint32_t lane, bool sc, sync_scope scope,
                      bool is_alone = false) const;
  /// What is behind a barrier in `to` comes after what is before it in `from`.
  static void barrier(weak_state& s, std::span<const std::uint32_t> from,
                      std::span<const std::uint32_t> to);
  /// In programs whose only orders are fence.sc of the whole device, without the order among these:
  /// behind a barrier of a CTA, each lane's stores release what the fences of the others have
  /// released, and its fences acquire what the others have seen. docs/reductions.md, "Weaker
  /// fences".
  void share_fences(weak_state& s, std::span<const std::uint32_t> lanes) const;
  /// The same in two parts: `lane` arrives; and those in `to` go on, behind all who have arrived.
  static void arrive(weak_state& s, std::uint32_t lane, std::uint32_t barrier);
  static void complete(weak_state& s, std::uint32_t barrier, std::span<const std::uint32_t> to);
  /// The barrier may be used again: nobody has arrived.
  static void reopen(weak_state& s, std::uint32_t barrier) {
    std::erase_if(s.arrivals, [&](const barrier_arrivals& a) { return a.barrier == barrier; });
  }
  /// The lane has ended.
  static void end(weak_state& s, std::uint32_t lane) { s.lanes[lane].live = false; }
  /// All but `lane` have: to ask what it could do alone. Promises of others stay open; those of
  /// releases tell what their lanes know now. What races are known by is forgotten.
  void end_others(weak_state& s, std::uint32_t lane) const;

  // Promises: a store that `lane` will carry out later is there now. `chained`: it is that of a
  // read-modify-write, which reads the message before it; `open`: of an exchange, which reads what
  // is before it when it is carried out.

  /// The new message is `m`, where the lane may store, or where it may update `m` - 1 (which may be
  /// a promise of its own).
  void promise(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
               std::size_t m, std::uint64_t value, bool chained, bool open = false) const;
  /// The inverse, of a promise that nobody has read.
  static void withdraw(weak_state& s, std::uint16_t x, std::size_t m);
  static bool may_promise(const weak_state& s, std::uint32_t lane, std::uint16_t x, std::size_t m,
                          bool chained);
  /// Whether the lane may carry out such a store as the promise `m`.
  [[nodiscard]] bool keeps_promise(const weak_state& s, std::uint32_t lane,
                                   const memory_access& how, std::uint16_t x, std::size_t m,
                                   std::uint64_t value, bool chained) const;
  /// Carries it out; a read-modify-write with its load.
  memory_effect keep(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
                     std::size_t m) const;
  /// Whether an access of the lane can read message `m`, as far as promises go: nobody acquires
  /// from the promise of a release, nor through read-modify-writes behind it.
  [[nodiscard]] bool may_acquire(const weak_state& s, std::uint32_t lane, const memory_access& how,
                                 std::uint16_t x, std::size_t m) const;
  /// Whether it acquires from a promise then, so that it may have to wait: the promise's lane may
  /// come to a release first.
  [[nodiscard]] bool may_have_to_wait(const weak_state& s, std::uint32_t lane,
                                      const memory_access& how, std::uint16_t x,
                                      std::size_t m) const;
  /// Whether the lane has promised a store, or has read somebody's promise: what its fence tells,
  /// and is told, then depends on when it comes.
  static bool minds_promises(const weak_state& s, std::uint32_t lane);
  static bool has_promises(const weak_state& s, std::uint32_t lane);
  /// It has read somebody's promise, and not acquired from it.
  static bool has_read_promises(const weak_state& s, std::uint32_t lane);
  /// Some store that the lane has promised is hidden from it: that promise is never kept.
  static bool has_passed_promise(const weak_state& s, std::uint32_t lane);

  /// Forgets all that cannot make a difference to what comes, so that states that behave alike are
  /// equal.
  void canonicalize(weak_state& s) const;

  /// Each lane `l` becomes `place_of[l]`. The CTAs stay what they are: who shares one shares one
  /// then. (Canonical forms of the results may differ, though the states behave alike.)
  void rename(weak_state& s, std::span<const std::uint32_t> place_of) const;

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
  [[nodiscard]] bool observes(const memory_location& x, const message& m, std::uint32_t lane,
                              const memory_access& how) const;
  void see(weak_state& s, std::uint32_t lane, std::uint16_t x,
           const std::vector<released_view>& carried) const;
  void observe(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
               std::size_t m) const;
  [[nodiscard]] bool acquire(weak_state& s, std::uint32_t lane, sync_scope scope, std::uint16_t x,
                             bool is_alone) const;
  [[nodiscard]] bool is_promised_to(const message& m, std::uint32_t lane, sync_scope scope) const;
  [[nodiscard]] bool is_promised_release(const message& m, std::uint32_t lane,
                                         sync_scope scope) const;
  [[nodiscard]] bool knew(const weak_state& s, const message::acquirer& a,
                          const released_view& r) const;
  [[nodiscard]] bool acquirers_knew(weak_state& s, std::uint16_t x, std::size_t m) const;
  void link(weak_state& s, std::uint32_t lane, std::uint16_t x, std::size_t m) const;
  static void note_what_is_known(weak_state& s, std::uint32_t lane);
  bool acquire_promise(weak_state& s, std::uint32_t lane, sync_scope scope, std::uint16_t x,
                       std::uint16_t m, bool is_alone) const;
  std::optional<race_partner> note(weak_state& s, std::uint32_t lane, const memory_access& how,
                                   std::uint16_t x, bool writes, bool updates = false,
                                   std::span<const record_ref> behind = {}) const;
  static bool is_behind(const message& promise, const view& known);
  static void come_behind(message& promise, std::uint32_t lane, std::uint16_t first,
                          std::uint16_t end);
  void come_behind_read(weak_state& s, std::uint32_t lane, const memory_access& how,
                        std::uint16_t x, std::size_t m, bool updates) const;
  static void be_observed(weak_state& s, const message& promise, record_ref store);
  static std::uint16_t last_record(const weak_state& s, std::uint32_t lane);
  [[nodiscard]] bool release(weak_state& s, std::uint32_t lane, std::uint16_t location,
                             sync_scope scope) const;
  void add_release(weak_state& s, std::uint32_t lane, std::uint16_t location,
                   sync_scope scope) const;
  void fill(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
            std::size_t m) const;
  static void make_room(weak_state& s, std::uint16_t x, std::size_t m);
  memory_effect arrive_in_phase(weak_state& s, std::uint32_t lane, const memory_access& how,
                                std::uint16_t x, std::uint64_t value) const;
  bool put(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
           std::size_t m, std::uint64_t value, bool chained) const;
};

}  // namespace simt
