// Random numbers that are the same everywhere (those of <random>'s distributions are not).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace naive {

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class random_source {
 public:
  explicit random_source(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
  }
  /// From 0 to n - 1.
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  bool percent(int chance) { return below(100) < chance; }

  /// An index, each with the given weight.
  int weighted(std::initializer_list<int> weights) {
    int total = 0;
    for (const int w : weights) total += w;
    int at = below(total);
    int i = 0;
    for (const int w : weights) {
      if (at < w) return i;
      at -= w;
      ++i;
    }
    return i - 1;
  }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(static_cast<int>(choices.size()))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace naive
