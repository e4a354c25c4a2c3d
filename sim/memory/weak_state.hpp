// The state of a weak memory: a value, with a canonical form (canonical.cpp).
//
// Each location has a list of messages, in coherence order: what was stored there. The oldest that
// anybody may still read is at the front. A lane's view says, for each location, which messages are
// hidden from it. Positions in lists are all that is kept of time, so spin loops close.
#pragma once

#include <cstdint>
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
  std::vector<record_ref> records;     // of it, and of those that who observes it observes
  std::vector<released_view> carries;  // what may be acquired from it
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
  struct seen_release {  // by a strong load, and not yet acquired
    std::uint16_t location = 0;
    released_view what;
    friend auto operator<=>(const seen_release&, const seen_release&) = default;
  };
  struct past_release {          // what later strong stores carry
    std::uint16_t location = 0;  // the only one, if the release was a store; else any_location
    released_view what;
    friend auto operator<=>(const past_release&, const past_release&) = default;
  };
  static constexpr std::uint16_t any_location = 0xffff;

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

struct weak_state {
  std::vector<memory_location> locations;  // by key, rising; others have one message, known to all
  std::vector<lane_knowledge> lanes;
  std::vector<std::vector<access_record>> records;  // by lane
  std::vector<released_view> fences;                // fence.sc so far, by CTA and scope
  std::vector<barrier_arrivals> arrivals;           // by barrier, rising

  /// Calls f with each view of the state.
  template <class F>
  void for_each_view(F f) {
    for (memory_location& x : locations) {
      for (message& m : x.messages) {
        for (released_view& r : m.carries) f(r.known);
      }
    }
    for (lane_knowledge& l : lanes) {
      f(l.known);
      for (auto& s : l.seen) f(s.what.known);
      for (auto& r : l.released) f(r.what.known);
    }
    for (released_view& r : fences) f(r.known);
    for (barrier_arrivals& a : arrivals) f(a.known);
  }
};

/// Appends the state to `out`.
void encode(const weak_state& state, std::vector<std::uint8_t>& out);
/// The inverse, for so many lanes.
weak_state decode(std::span<const std::uint8_t> bytes, std::size_t lanes);

}  // namespace simt
