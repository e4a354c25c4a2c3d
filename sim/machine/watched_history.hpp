// The history of an object's operations, as a part of the statuses of states.
#pragma once

#include <cstdint>

#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/machine/machine_setup.hpp"

namespace simt {

/// Asks the history monitor, and remembers its answers by the number of the status. Use one object
/// for each thread. Ask only if is_watched().
class watched_history {
 public:
  /// `monitor`: null if nothing watches the history.
  watched_history(history_monitor* monitor, machine_stores& stores)
      : monitor_(monitor), stores_(stores) {}

  [[nodiscard]] bool is_watched() const { return monitor_ != nullptr; }
  /// The status after the event at `c`, at which `lane` stands.
  std::uint32_t after_event(std::uint32_t status, std::uint32_t lane, continuation c);
  /// The status after `lane` has passed so many linearization points.
  std::uint32_t after_points(std::uint32_t status, std::uint32_t lane, std::uint32_t count);
  /// The kinds of consistency that the history lacks.
  consistency_set broken(std::uint32_t status);
  /// The kinds of consistency that the history of a complete run lacks.
  consistency_set broken_at_end(std::uint32_t status);

  /// Forgets what rests on lists that were cut short.
  void forget() { after_.clear(); }
  /// The number of bytes of all that is cached.
  [[nodiscard]] std::size_t memory() const {
    return after_.bucket_count() * (sizeof(event_key) + 5);
  }

 private:
  struct event_key {
    std::uint32_t status, lane;
    continuation at;
    friend bool operator==(const event_key&, const event_key&) = default;
    friend std::size_t hash_value(const event_key& k) {
      std::uint64_t h = (std::uint64_t{k.status} << 32 | k.at) * 0x9e3779b97f4a7c15U;
      h = (h ^ h >> 29 ^ k.lane) * 0xbf58476d1ce4e5b9U;
      return h ^ h >> 32;
    }
  };
  history_monitor* monitor_;
  machine_stores& stores_;
  boost::unordered_flat_map<event_key, std::uint32_t> after_;
  boost::unordered_flat_map<std::uint32_t, consistency_set> broken_;  // by status
};

}  // namespace simt
