// The state of a weak memory: a value with a canonical form (canonical.cpp).
//
// Each location has a list of messages, in coherence order: the values stored there. The oldest
// message that some lane may still read is at the front. A lane's view says for each location which
// messages are hidden from the lane. Positions in lists are the only record of time, so spin loops
// come back to known states.
//
// Axioms: the lists are Coherence. No message comes between a chained message and the one before:
// that is Atomicity. `fences` has the order of Fence-SC.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/memory/view.hpp"

namespace simt {

/// The lanes that an operation is meant for, from narrow to wide.
enum class sync_scope : std::uint8_t { cta, cluster, gpu, sys };

/// What a lane learns that synchronizes with a release pattern of `who` with this scope.
struct released_view {
  std::uint16_t who = 0;  // a lane that stands for its CTA
  sync_scope scope{};
  view known;
  friend auto operator<=>(const released_view&, const released_view&) = default;
};

/// A store to a location, as other lanes see it.
struct message {
  std::uint64_t value = 0;
  bool strong = false;
  bool chained = false;  // the store of a read-modify-write that has read the message before it
  sync_scope scope{};
  std::uint16_t writer = 0;
  // The record of this store, and the records of stores that a lane observes with it. Of a promise,
  // which has no record yet: the accesses to the location that come behind it in causality order,
  // because some lane has observed the promise.
  std::vector<record_ref> records;
  std::vector<released_view> carries;  // what a lane may acquire from this message

  // A promise is visible before `writer` carries out its store. Until then, a lane that acquires
  // from the promise gets what stores of `writer` would carry at that moment.
  bool promised = false;
  bool releases = false;  // the promised store will be a release
  bool unread = false;    // no lane has read the promise yet
  // The promised store of an exchange, which may read any message: other stores may still come
  // before it.
  bool open = false;
  // A lane that observes this message also observes the message before it, which is a promise or
  // leads to one.
  bool linked = false;
  struct acquirer {
    std::uint16_t lane = 0;
    sync_scope scope{};
    // Of an open promise: the positions that the lane knew when it acquired, without clocks. Else
    // empty.
    view knew;
    friend auto operator<=>(const acquirer&, const acquirer&) = default;
  };
  std::vector<acquirer> acquired;  // the lanes that have acquired from the promise
  std::uint32_t rank = 0;          // memory_access::rank, for the caller

  friend bool operator==(const message&, const message&) = default;
};

struct memory_location {
  std::uint32_t key = 0;
  std::uint8_t size = 0;  // bytes
  std::vector<message> messages;
};

/// An access that may race with later ones.
struct access_record {
  std::uint32_t key = 0;
  bool writes = false;
  bool strong = false;
  sync_scope scope{};
  friend bool operator==(const access_record&, const access_record&) = default;
};

/// What one lane knows, and what it may acquire and release.
struct lane_knowledge {
  static constexpr std::uint16_t any_location = 0xffff;
  static constexpr std::uint16_t no_promise = 0xffff;
  // A release that the lane has read by a strong load and not acquired yet.
  struct seen_release {
    std::uint16_t location = 0;
    std::uint16_t promise = no_promise;  // a message of the location: then `what` is unused
    released_view what;
    friend auto operator<=>(const seen_release&, const seen_release&) = default;
  };
  // What later strong stores of the lane carry.
  struct past_release {
    std::uint16_t location = 0;  // the only such location, of a release store; else any_location
    released_view what;
    friend auto operator<=>(const past_release&, const past_release&) = default;
  };

  bool live = true;
  bool fenced = false;  // the lane has carried out the fence that its next access begins with
  view known;
  std::vector<seen_release> seen;
  std::vector<past_release> released;
};

/// What the lanes know that have arrived at a barrier and still wait there.
struct barrier_arrivals {
  std::uint32_t barrier = 0;
  view known;
};

/// The whole state. Copies reuse the allocations of destroyed states, since many states live for a
/// single step.
struct weak_state {
  weak_state() = default;
  weak_state(const weak_state& other);
  weak_state(weak_state&&) noexcept = default;
  weak_state& operator=(const weak_state&) = default;
  weak_state& operator=(weak_state&&) noexcept = default;
  ~weak_state();

  // By rising key. A location that is missing has one message, which all lanes know.
  std::vector<memory_location> locations;
  std::vector<lane_knowledge> lanes;
  std::vector<std::vector<access_record>> records;  // by lane
  std::vector<released_view> fences;                // the latest fence.sc of each CTA and scope
  std::vector<barrier_arrivals> arrivals;           // by barrier, rising

  /// Calls f with each position of a message of location `x`: in views, and of promises that lanes
  /// have read.
  template <class F>
  void for_each_position(std::size_t x, F f) {
    for_each_view([&](view& v) { f(v.at[x]); });
    for (lane_knowledge& l : lanes) {
      for (auto& s : l.seen) {
        if (s.location == x && s.promise != lane_knowledge::no_promise) f(s.promise);
      }
    }
  }

  /// Calls f with each view of the state.
  template <class F>
  void for_each_view(F f) {
    for (memory_location& x : locations) {
      for (message& m : x.messages) {
        for (released_view& r : m.carries) f(r.known);
        for (message::acquirer& a : m.acquired) {
          if (!a.knew.at.empty()) f(a.knew);
        }
      }
    }
    for (lane_knowledge& l : lanes) {
      f(l.known);
      for (auto& s : l.seen) {
        if (s.promise == lane_knowledge::no_promise) f(s.what.known);
      }
      for (auto& r : l.released) f(r.what.known);
    }
    for (released_view& r : fences) f(r.known);
    for (barrier_arrivals& a : arrivals) f(a.known);
  }
};

/// Whether the state has promises, and whether no lane has read some of them.
enum class promise_state : std::uint8_t { none, read, unread };
/// Reads the promise_state of an encoded state.
inline promise_state promises_in(std::span<const std::uint8_t> bytes) {
  return static_cast<promise_state>(bytes.front());
}
/// Appends the state to `out`.
void encode(const weak_state& state, std::vector<std::uint8_t>& out);
/// Decodes what encode() has written. `lanes`: the number of lanes.
weak_state decode(std::span<const std::uint8_t> bytes, std::size_t lanes);
/// Decodes bytes that may be malformed, such as those of a file. Nothing: they are no state of that
/// many lanes and bytes of memory.
std::optional<weak_state> decode_checked(std::span<const std::uint8_t> bytes, std::size_t lanes,
                                         std::size_t memory);

}  // namespace simt
