// The state of a weak memory: a value, with a canonical form (canonical.cpp).
//
// Each location has a list of messages, in coherence order: what was stored there. The oldest that
// anybody may still read is at the front. A lane's view says, for each location, which messages are
// hidden from it. Positions in lists are all that is kept of time, so spin loops close.
//
// Axioms: the lists are Coherence; that nothing comes between a chained message and the one before
// is Atomicity; `fences` are the order of Fence-SC.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/memory/view.hpp"

namespace simt {

/// Who an operation is meant for, from narrow to wide.
enum class sync_scope : std::uint8_t { cta, cluster, gpu, sys };

/// What is known to who synchronizes with a release pattern of `who`, of this scope.
struct released_view {
  std::uint16_t who = 0;  // a lane of the CTA
  sync_scope scope{};
  view known;
  friend auto operator<=>(const released_view&, const released_view&) = default;
};

struct message {
  std::uint64_t value = 0;
  bool strong = false;
  bool chained = false;  // of a read-modify-write that has read the message before it
  sync_scope scope{};
  std::uint16_t writer = 0;
  // Of it, and of those that who observes it observes. Of a promise, which has none yet: of the
  // location's accesses that come behind it in causality order, because somebody has observed it.
  std::vector<record_ref> records;
  std::vector<released_view> carries;  // what may be acquired from it

  // A promise: it is there before `writer` carries out its store. What is acquired from it until
  // then is what stores of the writer would carry at that moment.
  bool promised = false;
  bool releases = false;  // then: its store will be a release
  bool unread = false;    // and nobody has read it yet
  bool open = false;    // of an exchange that need not read the message before it: others may still
                        // put theirs between
  bool linked = false;  // whoever observes it observes the message before it, which is, or leads
                        // to, a promise
  struct acquirer {
    std::uint16_t lane = 0;
    sync_scope scope{};
    view knew;  // of an open promise: positions that the lane knew then, no clocks; else empty
    friend auto operator<=>(const acquirer&, const acquirer&) = default;
  };
  std::vector<acquirer> acquired;  // from the promise, by whom
  std::uint32_t rank = 0;          // for who uses this memory: memory_access::rank

  friend bool operator==(const message&, const message&) = default;
};

struct memory_location {
  std::uint32_t key = 0;
  std::uint8_t size = 0;  // bytes
  std::vector<message> messages;
};

/// An access that others may be in a race with.
struct access_record {
  std::uint32_t key = 0;
  bool writes = false;
  bool strong = false;
  sync_scope scope{};
  friend bool operator==(const access_record&, const access_record&) = default;
};

struct lane_knowledge {
  static constexpr std::uint16_t any_location = 0xffff;
  static constexpr std::uint16_t no_promise = 0xffff;
  struct seen_release {  // by a strong load, and not yet acquired
    std::uint16_t location = 0;
    std::uint16_t promise = no_promise;  // a message of the location, instead of `what`
    released_view what;
    friend auto operator<=>(const seen_release&, const seen_release&) = default;
  };
  struct past_release {          // what later strong stores carry
    std::uint16_t location = 0;  // the only one, if the release was a store; else any_location
    released_view what;
    friend auto operator<=>(const past_release&, const past_release&) = default;
  };

  bool live = true;
  bool fenced = false;  // the fence that its next access begins with has been carried out
  view known;
  std::vector<seen_release> seen;
  std::vector<past_release> released;
};

/// What those know who have arrived at a barrier that has not let go yet.
struct barrier_arrivals {
  std::uint32_t barrier = 0;
  view known;
};

/// (Many live for a single step: what they have allocated is used again by the next ones.)
struct weak_state {
  weak_state() = default;
  weak_state(const weak_state& other);
  weak_state(weak_state&&) noexcept = default;
  weak_state& operator=(const weak_state&) = default;
  weak_state& operator=(weak_state&&) noexcept = default;
  ~weak_state();

  std::vector<memory_location> locations;  // by key, rising; others have one message, known to all
  std::vector<lane_knowledge> lanes;
  std::vector<std::vector<access_record>> records;  // by lane
  std::vector<released_view> fences;                // fence.sc so far, by CTA and scope
  std::vector<barrier_arrivals> arrivals;           // by barrier, rising

  /// Calls f with each position of a message of location `x` in a view, or of a promise that was
  /// seen.
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

/// Whether some store is promised; and whether one of these has not been read by anybody.
enum class promise_state : std::uint8_t { none, read, unread };
/// Of an encoded state.
inline promise_state promises_in(std::span<const std::uint8_t> bytes) {
  return static_cast<promise_state>(bytes.front());
}
/// Appends the state to `out`.
void encode(const weak_state& state, std::vector<std::uint8_t>& out);
/// The inverse, for so many lanes.
weak_state decode(std::span<const std::uint8_t> bytes, std::size_t lanes);
/// The same of bytes from elsewhere. Nothing: they are no state of so many lanes and bytes of
/// memory.
std::optional<weak_state> decode_checked(std::span<const std::uint8_t> bytes, std::size_t lanes,
                                         std::size_t memory);

}  // namespace simt
