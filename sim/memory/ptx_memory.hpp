// The steps of a memory under the PTX memory model: which messages a load may read, where a store
// may go, and what fences and barriers tell other lanes.
//
// Models: scopes, release and acquire patterns, observation through read-modify-writes, fence.sc,
// barriers, causality, races, and partial coherence orders up to the first race. Models load
// buffering, too: promises make a store visible before the instructions in front of it are carried
// out. Does not model: accesses of different sizes that overlap. After a race positions mean
// nothing: the caller has to stop there. The caller decides which stores are promised, and sees to
// it that each promise is kept.
//
// docs/memory-model.md, "Whole algorithms: the machine", says which axiom each rule realizes.
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

/// How an instruction accesses memory. In a read-modify-write, `acquire` belongs to the load and
/// `release` to the store.
struct memory_access {
  bool strong = false;
  bool acquire = false;
  bool release = false;
  sync_scope scope{};
  /// `red`: the lane does not learn what was read, so the access begins no acquire pattern.
  bool returns_nothing = false;
  /// The access asks what a lane could do alone: it acquires from promised stores as if they had
  /// been carried out, and nothing is a race.
  bool is_alone = false;
  /// The lane will come to the same load again, whatever it finds until then. So the load need not
  /// be kept to find races. docs/reductions.md, "Phases of mbarriers".
  bool is_repeated = false;
  /// The load races with the same accesses as a store would.
  bool conflicts_as_store = false;
  std::uint32_t rank = 0;  // of the message that the access makes
};

/// Whether a fence acquires, releases, or does both. (PTX: fence.acquire, fence.release,
/// fence.acq_rel and fence.sc.)
enum class fence_sides : std::uint8_t { both, acquires, releases };

/// A collective with an answer (a vote, a shuffle), or a barrier with a reduction, as one lane
/// calls it.
struct vote {
  std::uint64_t place = 0;  // offset in the subject's code, in bytes
  std::uint64_t value = 0;  // the lane's own operand
  std::uint32_t mask = 0;
  std::uint32_t shfl = 0;  // pack_shfl; of a barrier, its part
  std::uint32_t lane = 0;  // the lane's place in the warp; 0 if lanes of a warp may trade places
  friend auto operator<=>(const vote&, const vote&) = default;
};

/// The answers that lanes have been seen to get from a vote.
struct vote_answers {
  std::set<std::uint64_t> values;
  bool asked = false;  // the answers were asked for: a new answer makes void what rests on them
  friend bool operator==(const vote_answers&, const vote_answers&) = default;
};

/// Facts about a program. Fewer facts mean smaller states, but a missing fact makes results wrong.
struct memory_facts {
  // Shared locations with a store where some access is not strong, or not for everybody.
  std::set<std::uint32_t> mixed;
  // Locations with an ordinary access: a load, a store, or a compare-exchange (a load if it fails).
  // All other locations have only read-modify-writes, so their messages form one chain.
  std::set<std::uint32_t> ordinary;
  // Locations that several lanes access, and some lane stores to.
  std::set<std::uint32_t> shared;
  // Shared locations where some access was listed while another lane might still come to a
  // conflicting access. At other locations one lane is alone, nobody stores, or barriers keep
  // accesses apart. The machine keeps those as one memory in order, and no rule here applies to
  // them.
  std::set<std::uint32_t> contested;
  bool all_contested = false;  // treat each location as contested: the machine learns none of them
  // Contested locations where some access had several messages to read, or to store behind.
  std::set<std::uint32_t> wavering;
  // Some strong operation is not for everybody, or some read-modify-write is weak.
  bool narrow = false;
  // Some strong access synchronizes too little: it stores and is no release for everybody, or loads
  // and is no acquire for everybody. Also set where lanes wait for each other. Then stores may
  // become visible early (promises.cpp).
  bool unsynchronized = false;
  // With `unsynchronized`: in some state a load may return what comes behind it
  // (load_buffering.cpp).
  bool may_buffer = false;
  // With `unsynchronized`: locations may form a circle (circles_of_locations.hpp). Then a strong
  // load may return what comes behind it, though others cannot come there while its lane stands.
  bool has_circles = false;
  std::map<vote, vote_answers> votes;
  // Plain locations whose values influence which strong operations lanes carry out, or their
  // operands (telling.cpp).
  std::set<std::uint32_t> telling;
  // Locations that are mbarriers. At each one not in `unphased`, lanes of one CTA learn the phase
  // only by accesses that synchronize, and know the phase in which they arrive.
  std::set<std::uint32_t> mbarriers, unphased;
  // The search for promises that rest on other promises was given up, because it took too much
  // work.
  bool gave_up_bursts = false;
  /// Whether `key` is an mbarrier whose messages are merged by phase. docs/reductions.md, "Phases
  /// of mbarriers".
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

/// The result of a step.
struct memory_effect {
  /// False: the step cannot be carried out now, because it would acquire from a release that has
  /// not happened. Or never, because a lane has acquired from a promise without what this release
  /// would have told it.
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
  /// All states so far are void.
  void set_facts(memory_facts facts) { facts_ = std::move(facts); }

  /// Returns the location's place in the state's list. Adds a location that is not there, with one
  /// message.
  static std::uint16_t locate(weak_state& s, std::uint32_t key, std::uint8_t size,
                              std::uint64_t value);

  // Below, `m` is a message of location `x`, by its place in coherence order.

  /// Whether `lane` may read `m`.
  static bool may_read(const weak_state& s, std::uint32_t lane, std::uint16_t x, std::size_t m) {
    const message& it = s.locations[x].messages[m];
    return m >= s.lanes[lane].known.at[x] && !(it.promised && it.writer == lane);
  }
  /// Whether a store may come between message `m` and the one before. `m` may be one past the last
  /// message.
  static bool is_gap(const weak_state& s, std::uint16_t x, std::size_t m) {
    const auto& all = s.locations[x].messages;
    return m == all.size() || !all[m].chained || all[m].open;
  }
  /// Whether `lane` may store there, as message `m`.
  static bool may_store(const weak_state& s, std::uint32_t lane, std::uint16_t x, std::size_t m) {
    return m > s.lanes[lane].known.at[x] && is_gap(s, x, m);
  }
  /// Whether `lane` may read `m` and store right behind it, in one read-modify-write.
  static bool may_update(const weak_state& s, std::uint32_t lane, std::uint16_t x, std::size_t m) {
    return may_read(s, lane, x, m) && is_gap(s, x, m + 1);
  }

  // An mbarrier whose messages are merged by phase (memory_facts::is_phased) has for each phase the
  // message that begins the phase, and behind it one message for all arrivals.

  /// Whether a test of an mbarrier gives the same answer for both messages.
  static bool are_of_one_phase(const message& a, const message& b);
  /// Whether message `m` stands for the arrivals of a phase.
  static bool is_of_arrivals(const std::vector<message>& all, std::size_t m) {
    return m > 0 && are_of_one_phase(all[m], all[m - 1]);
  }

  // Steps.

  memory_effect load(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
                     std::size_t m) const;
  /// Stores. The new message is `m`.
  memory_effect store(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
                      std::size_t m, std::uint64_t value) const;
  /// Reads `m` and stores behind it.
  memory_effect update(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
                       std::size_t m, std::uint64_t value) const;
  /// From here on, strong stores of the lane tell of its last access, which was to location `x`,
  /// and of nothing else that the lane knows.
  void tell_of_access(weak_state& s, std::uint32_t lane, std::uint16_t x) const;
  /// A test of an mbarrier finds that the lane's phase goes on. The lane learns nothing.
  memory_effect test_again(weak_state& s, std::uint32_t lane, const memory_access& how,
                           std::uint16_t x) const;
  memory_effect fence(weak_state& s, std::uint32_t lane, bool sc, sync_scope scope,
                      bool is_alone = false, fence_sides sides = fence_sides::both) const;
  /// Orders what lanes in `to` do behind a barrier after what lanes in `from` have done before it.
  static void barrier(weak_state& s, std::span<const std::uint32_t> from,
                      std::span<const std::uint32_t> to);
  /// For programs whose only orders are fence.sc of the whole device, without the order among
  /// these. Behind a barrier of a CTA, each lane's stores release what the fences of the others
  /// have released. Each lane's fences acquire what the others have seen. docs/reductions.md,
  /// "Weaker fences".
  void share_fences(weak_state& s, std::span<const std::uint32_t> lanes) const;
  /// A barrier in two parts: `lane` arrives, and later the lanes in `to` go on behind all that have
  /// arrived.
  static void arrive(weak_state& s, std::uint32_t lane, std::uint32_t barrier);
  /// `lane` arrives, relaxed. It tells what its fences have released: through `barrier` what a
  /// fence releases to all lanes of the cluster, and otherwise through `in_block`.
  void arrive_relaxed(weak_state& s, std::uint32_t lane, std::uint32_t barrier,
                      std::uint32_t in_block) const;
  /// `lane` arrives and tells of its store `m` to location `x`, and of nothing else. If the store
  /// is another lane's: tells nothing.
  static void arrive_with_store(weak_state& s, std::uint32_t lane, std::uint32_t barrier,
                                std::uint16_t x, std::size_t m);
  static void complete(weak_state& s, std::uint32_t barrier, std::span<const std::uint32_t> to);
  /// The barrier may be used again: no lane has arrived.
  static void reopen(weak_state& s, std::uint32_t barrier) {
    std::erase_if(s.arrivals, [&](const barrier_arrivals& a) { return a.barrier == barrier; });
  }
  /// Records that the lane has ended.
  static void end(weak_state& s, std::uint32_t lane) { s.lanes[lane].live = false; }
  /// Ends all lanes but `lane`, to ask what that lane could do alone. Promises of others stay open;
  /// promises of releases tell what their lanes know now. Forgets what is kept to find races.
  void end_others(weak_state& s, std::uint32_t lane) const;

  // Promises: a store that `lane` will carry out later is visible now. `chained`: the store of a
  // read-modify-write, which reads the message before it. `open`: the store of an exchange, which
  // reads whatever message is before it when the exchange is carried out.

  /// Promises message `m`. The lane must be allowed to store there, or to update `m` - 1, which may
  /// be a promise of its own.
  void promise(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
               std::size_t m, std::uint64_t value, bool chained, bool open = false) const;
  /// Undoes promise(). Nobody may have read the promise.
  static void withdraw(weak_state& s, std::uint16_t x, std::size_t m);
  /// Whether the lane may promise a store as message `m`.
  static bool may_promise(const weak_state& s, std::uint32_t lane, std::uint16_t x, std::size_t m,
                          bool chained);
  /// Whether the lane may carry out a store with these properties as the promise `m`.
  [[nodiscard]] bool keeps_promise(const weak_state& s, std::uint32_t lane,
                                   const memory_access& how, std::uint16_t x, std::size_t m,
                                   std::uint64_t value, bool chained) const;
  /// Carries out the promised store; of a read-modify-write also the load.
  memory_effect keep(weak_state& s, std::uint32_t lane, const memory_access& how, std::uint16_t x,
                     std::size_t m) const;
  /// Whether promises allow the lane to read message `m`. A lane cannot acquire from the promise of
  /// a release, nor through read-modify-writes behind that promise.
  [[nodiscard]] bool may_acquire(const weak_state& s, std::uint32_t lane, const memory_access& how,
                                 std::uint16_t x, std::size_t m) const;
  /// Whether this access would acquire from a promise. Then the lane may have to wait, since the
  /// promise's lane may come to a release first.
  [[nodiscard]] bool may_have_to_wait(const weak_state& s, std::uint32_t lane,
                                      const memory_access& how, std::uint16_t x,
                                      std::size_t m) const;
  /// Whether the lane has promised a store or read a promise. Then the effect of its fence depends
  /// on when the fence comes.
  static bool minds_promises(const weak_state& s, std::uint32_t lane);
  /// Whether the lane has promised a store that it has not carried out.
  static bool has_promises(const weak_state& s, std::uint32_t lane);
  /// Whether the lane has read another lane's promise and not acquired from it.
  static bool has_read_promises(const weak_state& s, std::uint32_t lane);
  /// Whether some store that the lane has promised is hidden from the lane: that promise is never
  /// kept.
  static bool has_passed_promise(const weak_state& s, std::uint32_t lane);

  /// Forgets all that cannot influence later steps, so that states that behave alike are equal.
  void canonicalize(weak_state& s) const;

  /// Renames each lane `l` to `place_of[l]`. Lanes that share a CTA must still share one. Canonical
  /// forms of the results may differ, though the states behave alike.
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
  [[nodiscard]] std::span<const record_ref> observed_with(const memory_location& x,
                                                          std::size_t m) const;
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
                                   std::uint16_t x, bool writes,
                                   std::span<const record_ref> behind = {}) const;
  static bool is_behind(std::span<const record_ref> behind, const view& known);
  static void come_behind(message& promise, record_ref access);
  void come_behind_read(weak_state& s, std::uint32_t lane, const memory_access& how,
                        std::uint16_t x, std::size_t m) const;
  static void be_observed(weak_state& s, std::span<const record_ref> behind,
                          std::span<const record_ref> stores);
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
