// Makes random numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace warpcheck {

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). Two seeds
/// give unrelated numbers, even if they are next to each other.
class random_source {
 public:
  explicit random_source(std::uint64_t seed) : state_(mix(seed + increment)) {}

  std::uint64_t next() { return mix(state_ += increment); }
  /// Returns a number from 0 to n - 1. Not quite evenly, but for n below 2^16 that cannot be
  /// noticed.
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>((next() >> 32) * n >> 32);
  }
  /// Returns a number from 0 to n - 1, for large n.
  std::uint64_t below_large(std::uint64_t n) { return n == 0 ? 0 : next() % n; }

 private:
  static constexpr std::uint64_t increment = 0x9e3779b97f4a7c15U;
  std::uint64_t state_;

  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
  }
};

}  // namespace warpcheck
