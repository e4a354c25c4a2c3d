// Makes keys to sort, and checks what became of them: for sorting.cu and sorting_parameters.cu.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "building.cuh"

namespace building {

constexpr std::int64_t all_values = std::int64_t{1} << 31;
constexpr std::int64_t parts = 128;  // `p` of bucket and staggered

class distribution {
 public:
  explicit distribution(std::string name) : name_(std::move(name)) {}

  std::vector<int> keys(std::size_t count) {
    std::vector<int> all(count);
    if (name_ == "uniform") return fill(all, [&](std::size_t) { return below(all_values); });
    if (name_ == "sorted") return ascending(all);
    if (name_ == "zero") {
      const std::int64_t key = below(all_values);
      return fill(all, [&](std::size_t) { return key; });
    }
    if (name_ == "gaussian") {
      return fill(all, [&](std::size_t) {
        return (below(all_values) + below(all_values) + below(all_values) + below(all_values)) / 4;
      });
    }
    const std::size_t block = std::max<std::size_t>(1, count / parts);
    if (name_ == "bucket") {
      const std::size_t section = std::max<std::size_t>(1, block / parts);
      return fill(all, [&](std::size_t i) {
        return in_part(static_cast<std::int64_t>(i % block / section));
      });
    }
    if (name_ == "staggered") {
      return fill(all, [&](std::size_t i) {
        const auto in = std::min<std::int64_t>(static_cast<std::int64_t>(i / block), parts - 1);
        return in_part(in < parts / 2 ? 2 * in + 1 : 2 * in - parts);
      });
    }
    if (name_ == "scanned") return scanned(all);
    return {};
  }

 private:
  std::string name_;
  std::mt19937 random_{1};

  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_()) * bound >> 32;
  }
  std::int64_t in_part(std::int64_t part) {
    return std::min(part, parts - 1) * (all_values / parts) + below(all_values / parts);
  }
  template <class Key>
  static std::vector<int>& fill(std::vector<int>& all, Key key) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(key(i));
    return all;
  }
  /// Distances in metres of points on a figure from the viewer, who stands at (0, 0, 0). Their bits
  /// as floats are in the order of the distances. The points are in the order in which a scanner
  /// with a turntable sees them: all heights of a line, then the next angle. There are four points
  /// in a line for each line, and the scanner errs by 20 micrometres.
  std::vector<int>& scanned(std::vector<int>& all) {
    const double count = static_cast<double>(all.size());
    const double lines = std::max(1.0, std::floor(std::sqrt(count / 4)));
    const auto in_line = static_cast<std::size_t>(std::ceil(count / lines));
    constexpr double tall = 0.15, axis_x = 0.02, axis_z = 0.01, base = -0.05, error = 20e-6;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double up = static_cast<double>(i % in_line) / static_cast<double>(in_line);
      const double angle = 2 * std::numbers::pi * static_cast<double>(i / in_line) / lines;
      const double off = (static_cast<double>(below(1 << 20)) / (1 << 19) - 1) * error;
      const double radius = radius_at(up, angle) + off;
      const double x = axis_x + radius * std::cos(angle), y = base + tall * up,
                   z = axis_z + radius * std::sin(angle);
      all[i] = std::bit_cast<int>(static_cast<float>(std::sqrt(x * x + y * y + z * z)));
    }
    return all;
  }
  /// A body with a neck, three bulges around it, and a fine pattern.
  static double radius_at(double up, double angle) {
    constexpr double turn = 2 * std::numbers::pi;
    return 0.04 + 0.015 * std::cos(turn * up) + 0.008 * std::sin(3 * angle) * std::sin(turn * up) +
           0.0008 * std::sin(40 * angle) * std::sin(30 * turn * up);
  }
  /// Sorted uniform values are distributed like sums of exponential ones, divided by the sum of
  /// all.
  std::vector<int>& ascending(std::vector<int>& all) {
    std::vector<double> sums(all.size() + 1);
    std::exponential_distribution<double> step;
    double sum = 0;
    for (double& at : sums) at = sum += step(random_);
    return fill(all, [&](std::size_t i) {
      return static_cast<std::int64_t>(sums[i] / sum * static_cast<double>(all_values - 1));
    });
  }
};

/// A number that does not depend on the order of the keys. The hash is splitmix64.
std::uint64_t fingerprint(const std::vector<int>& keys) {
  std::uint64_t sum = 0;
  for (const int key : keys) {
    std::uint64_t x = static_cast<std::uint64_t>(key) + 0x9e3779b97f4a7c15U;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    sum += x ^ x >> 31;
  }
  return sum;
}

class unsorted {
 public:
  explicit unsorted(const building::options& run)
      : keys_(distribution(run.workload).keys(run.places)), fingerprint_(fingerprint(keys_)) {}

  [[nodiscard]] const std::vector<int>& keys() const { return keys_; }
  [[nodiscard]] const char* what_is_wrong(const std::vector<int>& result) const {
    if (!std::ranges::is_sorted(result)) return "the keys are not in order";
    return fingerprint(result) == fingerprint_ ? nullptr : "the keys are not those that were given";
  }

 private:
  std::vector<int> keys_;
  std::uint64_t fingerprint_;
};

}  // namespace building
