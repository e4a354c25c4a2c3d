// Interned states: vectors of a fixed number of 32-bit words, numbered from 0 in order of
// discovery. Beside each state lies one word of the search's own, its mark: what is asked of a
// state after it has been found is then in the cache.
//
// Open addressing with 8 bytes a slot: the number, and 32 bits of the hash, by which most misses
// are settled without touching the states, and by which the table grows without hashing again.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "checker/explore/page_array.hpp"

namespace warpcheck {

using state_id = std::uint32_t;

class state_table {
 public:
  explicit state_table(std::size_t words)
      : words_(words),
        stride_(words + 1),
        chunk_shift_(static_cast<unsigned>(
            std::bit_width(std::max<std::size_t>(chunk_bytes / (4 * stride_), 1)) - 1)),
        slots_(std::size_t{1} << 14) {}

  struct interned {
    state_id id;
    bool is_new;
  };

  interned intern(std::span<const std::uint32_t> state) { return intern(state, hash(state)); }

  interned intern(std::span<const std::uint32_t> state, std::uint64_t hashed) {
    const auto tag = static_cast<std::uint32_t>(hashed >> 32);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = position(tag, mask);; at = (at + 1) & mask) {
      const std::uint64_t slot = slots_[at];
      if (slot == empty) {
        if (size_ == max_size) throw std::length_error("more states than can be numbered");
        const state_id id = size_++;
        slots_[at] = std::uint64_t{tag} << 32 | (id + 1);
        append(state);
        if (size_ * std::uint64_t{3} > slots_.size() * std::uint64_t{2}) grow();
        return {id, true};
      }
      if (static_cast<std::uint32_t>(slot >> 32) == tag &&
          equal(address(static_cast<state_id>(slot) - 1), state.data())) {
        return {static_cast<state_id>(slot) - 1, false};
      }
    }
  }

  /// The number of a state; none if it is not in the table.
  [[nodiscard]] state_id find(std::span<const std::uint32_t> state) const {
    const auto tag = static_cast<std::uint32_t>(hash(state) >> 32);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = position(tag, mask); slots_[at] != empty; at = (at + 1) & mask) {
      const state_id id = static_cast<state_id>(slots_[at]) - 1;
      if (static_cast<std::uint32_t>(slots_[at] >> 32) == tag && equal(address(id), state.data())) {
        return id;
      }
    }
    return none;
  }

  [[nodiscard]] std::uint64_t hash(std::span<const std::uint32_t> state) const {
    return XXH3_64bits(state.data(), words_ * 4);
  }
  /// Look-ups of several states overlap if each is announced: first its slot, then its record.
  void prefetch_slot(std::uint64_t hashed) const {
    __builtin_prefetch(
        &slots_[position(static_cast<std::uint32_t>(hashed >> 32), slots_.size() - 1)]);
  }
  void prefetch_record(std::uint64_t hashed) const {
    const auto tag = static_cast<std::uint32_t>(hashed >> 32);
    const std::uint64_t slot = slots_[position(tag, slots_.size() - 1)];
    if (slot != empty && static_cast<std::uint32_t>(slot >> 32) == tag) {
      __builtin_prefetch(address(static_cast<state_id>(slot) - 1));
    }
  }

  static constexpr state_id none = 0xffffffff;

  /// Valid until the table is destroyed: states do not move.
  [[nodiscard]] std::span<const std::uint32_t> operator[](state_id id) const {
    return {address(id), words_};
  }
  [[nodiscard]] std::uint32_t& mark(state_id id) { return address(id)[words_]; }
  [[nodiscard]] std::uint32_t mark(state_id id) const { return address(id)[words_]; }
  [[nodiscard]] state_id size() const { return size_; }
  [[nodiscard]] std::size_t memory() const {
    return slots_.size() * sizeof(std::uint64_t) + (chunks_.size() << chunk_shift_) * stride_ * 4;
  }

 private:
  static constexpr std::uint64_t empty = 0;  // slots hold numbers plus one
  static constexpr std::size_t chunk_bytes = std::size_t{1} << 19;
  static constexpr state_id max_size = 0xfffffffe;

  std::size_t words_;
  std::size_t stride_;
  unsigned chunk_shift_;  // states of a chunk, as a power of two
  state_id size_ = 0;
  page_array<std::uint64_t> slots_;
  std::vector<page_array<std::uint32_t>> chunks_;

  // The table may have more slots than a tag has values; spreading the tag keeps probes short.
  static std::size_t position(std::uint32_t tag, std::size_t mask) {
    return (tag * std::uint64_t{0x9e3779b97f4a7c15} >> 20) & mask;
  }
  [[nodiscard]] std::uint32_t* address(state_id id) const {
    return chunks_[id >> chunk_shift_].data() +
           (id & ((state_id{1} << chunk_shift_) - 1)) * stride_;
  }
  void append(std::span<const std::uint32_t> state) {
    const state_id id = size_ - 1;
    if (id >> chunk_shift_ == chunks_.size()) {
      chunks_.emplace_back((std::size_t{1} << chunk_shift_) * stride_);
    }
    std::memcpy(address(id), state.data(), words_ * 4);
  }
  // Shorter than a call for the few words of most states.
  [[nodiscard]] bool equal(const std::uint32_t* a, const std::uint32_t* b) const {
    for (std::size_t i = 0; i < words_; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }
  void grow() {
    page_array<std::uint64_t> larger(slots_.size() * 2);
    const std::size_t mask = larger.size() - 1;
    for (const std::uint64_t slot : slots_) {
      if (slot == empty) continue;
      std::size_t at = position(static_cast<std::uint32_t>(slot >> 32), mask);
      while (larger[at] != empty) at = (at + 1) & mask;
      larger[at] = slot;
    }
    slots_ = std::move(larger);
  }
};

}  // namespace warpcheck
