// Interning: gives equal byte strings one 32-bit number.
//
// For any number of threads. Reading takes no lock; interning locks one part of the table.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include <xxhash.h>
#include <boost/unordered/unordered_flat_set.hpp>

#include "sim/automaton/stable_vector.hpp"

namespace simt {

class interned_bytes {
 public:
  using bytes = std::span<const std::uint8_t>;

  interned_bytes() {
    for (part& p : parts_) p.numbers = numbers(0, hasher{this}, equal{this});
  }
  interned_bytes(const interned_bytes&) = delete;
  interned_bytes& operator=(const interned_bytes&) = delete;

  std::uint32_t intern(bytes value) {
    const std::uint64_t hash = XXH3_64bits(value.data(), value.size());
    const hashed_bytes key{value, static_cast<std::uint32_t>(hash)};
    part& p = parts_[hash >> 60];
    const std::lock_guard lock(p.changing);
    if (const auto found = p.numbers.find(key); found != p.numbers.end()) return *found;
    const std::uint32_t number = append(key);
    p.numbers.insert(number);
    return number;
  }

  /// The number of `value`, if it has one.
  [[nodiscard]] std::optional<std::uint32_t> find(bytes value) const {
    const std::uint64_t hash = XXH3_64bits(value.data(), value.size());
    part& p = parts_[hash >> 60];
    const std::lock_guard lock(p.changing);
    const auto found = p.numbers.find(hashed_bytes{value, static_cast<std::uint32_t>(hash)});
    return found == p.numbers.end() ? std::nullopt : std::optional(*found);
  }

  [[nodiscard]] bytes operator[](std::uint32_t number) const {
    const entry& e = values_[number];
    return {e.data, e.size};
  }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] std::size_t memory() const {
    std::size_t bytes = 0;
    for (part& p : parts_) {
      const std::lock_guard lock(p.changing);
      bytes += p.numbers.bucket_count() * 5;
    }
    const std::lock_guard lock(appending_);
    return bytes + chunks_.size() * chunk_bytes + large_ + values_.memory();
  }

 private:
  struct entry {
    const std::uint8_t* data;
    std::uint32_t size, hash;
  };
  struct hashed_bytes {
    bytes value;
    std::uint32_t hash;
  };
  // Sets of numbers, which hash and compare like the bytes that the numbers stand for.
  struct hasher {
    using is_transparent = void;
    using is_avalanching = void;
    const interned_bytes* owner;
    static std::size_t spread(std::uint32_t hash) { return hash * 0x9e3779b97f4a7c15U; }
    std::size_t operator()(const hashed_bytes& key) const { return spread(key.hash); }
    std::size_t operator()(std::uint32_t number) const {
      return spread(owner->values_[number].hash);
    }
  };
  struct equal {
    using is_transparent = void;
    const interned_bytes* owner;
    static bool same(bytes a, bytes b) {
      return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
    }
    bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
    bool operator()(std::uint32_t a, const hashed_bytes& b) const {
      return owner->values_[a].hash == b.hash && same((*owner)[a], b.value);
    }
    bool operator()(const hashed_bytes& a, std::uint32_t b) const { return (*this)(b, a); }
  };

  using numbers = boost::unordered_flat_set<std::uint32_t, hasher, equal>;
  struct part {  // by the highest bits of the hash
    std::mutex changing;
    interned_bytes::numbers numbers;
  };

  static constexpr std::size_t chunk_bytes = std::size_t{1} << 16;
  mutable std::array<part, 16> parts_;
  mutable std::mutex appending_;
  stable_vector<entry> values_;
  std::deque<std::vector<std::uint8_t>> chunks_;
  std::size_t used_ = chunk_bytes;  // bytes of the last chunk
  std::size_t large_ = 0;
  std::deque<std::vector<std::uint8_t>> large_values_;

  std::uint32_t append(const hashed_bytes& key) {
    const std::lock_guard lock(appending_);
    const std::size_t number = values_.size();
    if (number == 0xffffffff) throw std::length_error("more than 2^32 interned values");
    const auto size = static_cast<std::uint32_t>(key.value.size());
    values_.push_back({store(key.value), size, key.hash});
    return static_cast<std::uint32_t>(number);
  }
  const std::uint8_t* store(bytes value) {
    if (value.size() > chunk_bytes / 4) {
      large_ += value.size();
      return large_values_.emplace_back(value.begin(), value.end()).data();
    }
    if (used_ + value.size() > chunk_bytes) {
      chunks_.emplace_back(chunk_bytes);
      used_ = 0;
    }
    std::uint8_t* const at = chunks_.back().data() + used_;
    if (!value.empty()) std::memcpy(at, value.data(), value.size());
    used_ += value.size();
    return at;
  }
};

}  // namespace simt
