// Load buffering, behind three functions: may_occur, add_choices and are_kept.
//
// A lane may promise a store. Other lanes then see the store before the lane carries it out.
// promises.cpp decides which promises are made, and when. alone.cpp runs one lane alone.
// telling.cpp finds the plain accesses on which strong ones depend. docs/memory-model.md, "Load
// buffering in the machine".
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/machine/machine.hpp"
#include "sim/machine/promises/promised_store.hpp"
#include "sim/machine/weak/weak_memory.hpp"

namespace simt {

class load_buffering;

/// A promise that no lane has read yet.
struct unread_promise {
  std::uint32_t offset = 0;
  std::uint16_t x = 0, place = 0;  // its location and message
  std::size_t newer = 0;           // messages behind it
  std::uint32_t owner = 0;
  bool is_repetition = false;
};

/// Where no lane can go on: the lanes that may have to promise something, and what each lane waits
/// for.
struct standoff {
  std::vector<char> may_promise;  // by lane
  std::vector<char> only_next;    // by lane: it may only promise the store of its next operation
  std::vector<std::uint32_t> at;  // by lane: the location that its pending access is to
  std::vector<char> acquires;     // by lane: its pending access acquires
  static constexpr std::uint32_t elsewhere = 0xffffffff;
  bool has_end = false;  // whether some reader may end a burst
  /// Whether a burst may end with `reader` reading what `owner` has promised.
  [[nodiscard]] bool may_end(std::uint32_t reader, std::uint32_t owner) const {
    return at[reader] != at[owner] || at[owner] == elsewhere || acquires[owner] != 0;
  }
};

/// A plain store that comes before a promise of its lane.
struct plain_store {
  std::uint32_t offset = 0;
  std::uint8_t size = 0;
  std::uint64_t value = 0, address = 0, pc = 0;
  friend auto operator<=>(const plain_store&, const plain_store&) = default;
};

/// The possible next steps of a lane that runs alone.
struct lone_step {
  struct to {
    continuation at = 0;
    std::uint32_t memory = 0;
    bool keeps_last = false;  // the step keeps the lane's last open promise
  };
  std::span<const to> next;
  std::span<const promised_store> stores;
  // What the step crosses: `nothing` strong, `much`, or else read-modify-writes of the one location
  // at this offset. Stores elsewhere may be promised across those.
  static constexpr std::uint32_t nothing = 0xffffffff;
  static constexpr std::uint32_t much = 0xfffffffe;
  std::uint32_t crosses = nothing;
  std::uint32_t reads = nothing;  // the offset of the location that is read
  bool keeps = false;             // the step may keep a promise
};

/// The stores that a lane may reach alone.
struct lone_stores {
  std::vector<promised_store> all;   // sorted by key
  std::vector<std::uint32_t> reads;  // locations that are read on the way, by offset
  std::vector<continuation> stops;   // where the lane reads something that may be promised
  [[nodiscard]] bool has(const promised_store& one) const {
    return std::ranges::binary_search(all, promised_store::key(one), {}, &promised_store::key);
  }
};

/// The start of a lane's run alone.
struct lone_key {
  std::uint32_t memory, lane;
  continuation at;
  friend bool operator==(const lone_key&, const lone_key&) = default;
  friend std::size_t hash_value(const lone_key& k) {
    std::uint64_t h = (std::uint64_t{k.memory} << 32 | k.at) * 0x9e3779b97f4a7c15U;
    h = (h ^ h >> 29 ^ k.lane) * 0xbf58476d1ce4e5b9U;
    return h ^ h >> 32;
  }
};

/// Caches what lanes do alone.
struct lone_runs {
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> starts;  // by memory and lane
  // By the start of the run.
  boost::unordered_flat_map<lone_key, bool> keeps;
  std::unordered_map<lone_key, lone_stores, boost::hash<lone_key>> stores;
  std::unordered_map<lone_key, lone_stores, boost::hash<lone_key>> late_stores;
  boost::unordered_flat_map<lone_key, lone_step> steps;
  // By memory and message: the memory without that message.
  boost::unordered_flat_map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> without;
  boost::unordered_flat_map<state_words, bool, boost::hash<state_words>> bursts;
  // Whether each open promise leads some other lane on: join_search.hpp.
  boost::unordered_flat_map<state_words, bool, boost::hash<state_words>> lead_on;
  // By a state, and by which lanes the run has ended for.
  boost::unordered_flat_map<state_words, bool, boost::hash<state_words>> together;
  std::deque<std::vector<plain_store>> plain{{}};  // by number; 0 is the empty list
  std::map<std::vector<plain_store>, std::uint32_t> plain_numbers;
  std::map<std::uint32_t, plain_store> plain_at;  // some plain store to each offset
  // Storage for the spans in `steps`, and its size in bytes.
  std::unique_ptr<std::pmr::monotonic_buffer_resource> kept =
      std::make_unique<std::pmr::monotonic_buffer_resource>();
  std::size_t kept_bytes = 0;
  template <class T>
  std::span<const T> keep(const std::vector<T>& all) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (all.empty()) return {};
    T* const to = std::pmr::polymorphic_allocator<T>(kept.get()).allocate(all.size());
    std::ranges::uninitialized_copy(all, std::span(to, all.size()));
    kept_bytes += all.size() * sizeof(T);
    return {to, all.size()};
  }
  [[nodiscard]] std::size_t memory() const {
    return kept_bytes + starts.bucket_count() * 13 + keeps.bucket_count() * (sizeof(lone_key) + 2) +
           (stores.size() + late_stores.size()) *
               (sizeof(lone_key) + sizeof(lone_stores) + 2 * sizeof(promised_store)) +
           without.bucket_count() * 13 + (bursts.size() + lead_on.size() + together.size()) * 128 +
           steps.bucket_count() * (sizeof(lone_key) + sizeof(lone_step) + 1);
  }
};

/// The stores that lanes of one machine may promise.
class early_stores {
 public:
  early_stores(machine& of, weak_memory& memory);
  ~early_stores();
  early_stores(const early_stores&) = delete;
  early_stores& operator=(const early_stores&) = delete;

  /// Whether promises may have to be made in this state. If not, promises would add no execution
  /// that passes through it. Records it as news if they may have to be made for the first time.
  bool may_occur(state_view state);
  /// Removes steps of `state` after which some promise cannot be kept, and adds promises.
  void add_choices(state_view state, successor_list& out);
  /// Whether each lane that has promised something can still keep its promises.
  [[nodiscard]] bool are_kept(state_view state);

  /// The stores that `lane` may promise in `state`. Choices name them by index. Not all of them can
  /// be kept.
  [[nodiscard]] std::vector<promised_store> promises(state_view state, std::uint32_t lane);
  /// Looks for further telling locations (memory_facts) in what lanes have been seen to do. Returns
  /// whether there are any: then all states so far are void. Finds all of them when an exploration
  /// `has_ended`.
  bool learn_telling(bool has_ended);
  /// Looks for circles of locations (memory_facts::has_circles), if steps run ahead that rest on
  /// there being none. Returns whether there are any: then all states so far are void.
  bool learn_circles();
  /// Clears caches after facts of the program have changed.
  void forget();
  /// The number of bytes of all caches.
  [[nodiscard]] std::size_t remembered() const { return alone_.memory(); }

 private:
  friend class lone_lane;    // runs one lane alone
  friend class join_search;  // asks what promises lead to
  machine& machine_;
  weak_memory& memory_;
  std::unique_ptr<load_buffering> buffering_;
  lone_runs alone_;

  [[nodiscard]] bool is_active(state_view state, std::uint32_t lane) const;
  bool keep_first(state_view state, const weak_state& memory, successor_list& out);
  void add_promises(state_view state, successor_list& out);
  /// The call of `op`, a collective or a barrier with a reduction.
  [[nodiscard]] vote vote_of(std::uint32_t lane, const operation& op) const;
  [[nodiscard]] std::optional<continuation> next_if_possible(std::uint32_t lane, continuation at,
                                                             std::uint64_t answer);
  void learn_answers(state_view state, const successor_list& out);
  // These return whether an answer was news.
  bool learn_of_warp(state_view state, const choice& by);
  bool learn_at_barrier(state_view state, const choice& by);
  [[nodiscard]] std::uint32_t memory_alone(std::uint32_t memory, std::uint32_t lane);
  [[nodiscard]] const lone_stores& stores_alone(state_view state, std::uint32_t lane,
                                                bool reads_late = false);
  std::size_t burst_size_ = 0;
  std::uint64_t lone_steps_ = 0, lone_steps_before_ = 0;  // steps before the burst
  [[nodiscard]] static std::size_t promises_of(const weak_state& memory, std::uint32_t lane);
  [[nodiscard]] std::vector<unread_promise> strong_unread(const weak_state& memory) const;
  state_words with_plain_stores(state_view state, std::uint32_t lane, const promised_store& first);
  bool plain_stores_help(state_view state, std::uint32_t lane, const promised_store& first);
  static std::uint16_t locate(weak_state& s, std::span<const std::uint8_t> image,
                              std::uint32_t offset, std::uint8_t size);
  [[nodiscard]] std::vector<unread_promise> unread_in(const weak_state& memory) const;
  [[nodiscard]] std::uint32_t memory_without(std::uint32_t memory, const unread_promise& one);
  [[nodiscard]] bool can_keep(state_view state, std::uint32_t lane);
  [[nodiscard]] bool can_keep_together(state_view state, const choice& by);
  [[nodiscard]] bool repeats_own(const weak_state& s, std::uint32_t lane,
                                 const promised_store& one) const;
  [[nodiscard]] bool is_repetition(const weak_state& memory, std::uint32_t lane,
                                   std::uint32_t offset, bool releases) const;
  [[nodiscard]] bool waits_to_read(state_view state, std::uint32_t lane, std::uint32_t offset);
  [[nodiscard]] bool waits_in_loop(state_view state, const weak_state& memory, std::uint32_t lane);
  [[nodiscard]] bool is_free_step(state_view state, const weak_state& memory, std::uint32_t lane);
  [[nodiscard]] bool goes_on_first(state_view state, const weak_state& memory, std::uint32_t lane);
  [[nodiscard]] bool is_on_its_way(state_view state, const weak_state& memory, std::uint32_t lane);
  [[nodiscard]] bool may_be_read_by(state_view state, const weak_state& memory, std::uint32_t lane,
                                    std::uint16_t x, std::size_t m);
  [[nodiscard]] bool is_at_exchange(continuation c);
  [[nodiscard]] standoff standoff_in(state_view state, const weak_state& memory);
  [[nodiscard]] bool is_read_next(state_view state, const weak_state& memory,
                                  const unread_promise& one, const standoff& lanes);
  [[nodiscard]] std::uint32_t memory_with(state_view state, weak_state now, std::uint32_t lane,
                                          const promised_store& one);
  [[nodiscard]] std::optional<state_words> with_promise(state_view state, const weak_state& now,
                                                        std::uint32_t lane,
                                                        const promised_store& one,
                                                        const standoff& lanes);
  [[nodiscard]] bool may_promise(state_view state, const weak_state& memory, std::uint32_t lane,
                                 bool can_go_on);
  [[nodiscard]] bool may_be_used(state_view state, const standoff& lanes, std::uint32_t lane,
                                 const promised_store& one);
  [[nodiscard]] bool may_be_used(state_view state, const standoff& lanes, std::uint32_t lane);
  [[nodiscard]] std::optional<state_words> promised_in_burst(state_view state,
                                                             const weak_state& now,
                                                             std::uint32_t lane,
                                                             const promised_store& one,
                                                             const standoff& lanes);
  [[nodiscard]] bool completes_burst(state_view state, const standoff& lanes);
  [[nodiscard]] bool adds_to(state_view state, const weak_state& memory, std::uint32_t lane,
                             std::uint64_t value);
  [[nodiscard]] bool reads(state_view state, const transition& t, std::uint32_t offset,
                           std::size_t newer) const;
  void note_store(std::uint32_t lane, continuation at, const lone_store& what,
                  std::vector<promised_store>& stores);
  bool comes_back(std::uint32_t lane, continuation at, std::uint64_t answer);
};

}  // namespace simt
