// Sets of events and relations between them, as bits. An execution has 64 events at most.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace litmus {

inline constexpr std::uint32_t most_events = 64;

using event_id = std::uint32_t;
using event_set = std::uint64_t;

constexpr event_set only(event_id e) { return event_set{1} << e; }
constexpr bool contains(event_set set, event_id e) { return ((set >> e) & 1) != 0; }

/// Calls `f` with each event of the set, in their order.
template <class Function>
void for_each(event_set set, Function f) {
  for (; set != 0; set &= set - 1) f(static_cast<event_id>(std::countr_zero(set)));
}

/// A binary relation over events 0 … size-1.
class relation {
 public:
  relation() = default;
  explicit relation(std::uint32_t size) : size_(size) {}

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] bool operator()(event_id a, event_id b) const { return contains(rows_[a], b); }
  /// The events that `a` is related to.
  [[nodiscard]] event_set of(event_id a) const { return rows_[a]; }

  void insert(event_id a, event_id b) { rows_[a] |= only(b); }
  void insert(event_id a, event_set all) { rows_[a] |= all; }
  void erase(event_id a, event_id b) { rows_[a] &= ~only(b); }

  relation& operator|=(const relation& other) {
    for (event_id a = 0; a < size_; ++a) rows_[a] |= other.rows_[a];
    return *this;
  }
  relation& operator&=(const relation& other) {
    for (event_id a = 0; a < size_; ++a) rows_[a] &= other.rows_[a];
    return *this;
  }
  friend relation operator|(relation a, const relation& b) { return a |= b; }
  friend relation operator&(relation a, const relation& b) { return a &= b; }

  /// a;b
  friend relation operator*(const relation& a, const relation& b) {
    relation result(a.size_);
    for (event_id i = 0; i < a.size_; ++i) {
      for_each(a.rows_[i], [&](event_id j) { result.rows_[i] |= b.rows_[j]; });
    }
    return result;
  }

  [[nodiscard]] relation inverse() const {
    relation result(size_);
    for (event_id a = 0; a < size_; ++a) {
      for_each(rows_[a], [&](event_id b) { result.insert(b, a); });
    }
    return result;
  }

  /// With each event related to itself: r?
  [[nodiscard]] relation or_same() const {
    relation result = *this;
    for (event_id a = 0; a < size_; ++a) result.insert(a, a);
    return result;
  }

  /// r⁺
  [[nodiscard]] relation transitive() const {
    relation result = *this;
    for (event_id k = 0; k < size_; ++k) {
      const event_set next = result.rows_[k];
      for (event_id i = 0; i < size_; ++i) {
        if (contains(result.rows_[i], k)) result.rows_[i] |= next;
      }
    }
    return result;
  }

  [[nodiscard]] bool irreflexive() const {
    for (event_id a = 0; a < size_; ++a) {
      if (contains(rows_[a], a)) return false;
    }
    return true;
  }
  [[nodiscard]] bool acyclic() const { return transitive().irreflexive(); }
  [[nodiscard]] bool empty() const {
    for (event_id a = 0; a < size_; ++a) {
      if (rows_[a] != 0) return false;
    }
    return true;
  }

  /// Only the pairs from one set into another.
  [[nodiscard]] relation between(event_set from, event_set to) const {
    relation result(size_);
    for_each(from, [&](event_id a) { result.rows_[a] = rows_[a] & to; });
    return result;
  }

 private:
  std::uint32_t size_ = 0;
  std::array<event_set, most_events> rows_{};
};

}  // namespace litmus
