// Random litmus tests, for comparisons. Every instruction of the dialect appears.
#pragma once

#include <cstdint>
#include <string>

namespace naive {

struct generator_options {
  /// No access is weak, nor too narrow for the threads there are, so there are no races.
  bool strong = false;
  /// With spin loops, and barriers with operands: not every execution ends.
  bool waits = false;
  /// With a barrier of clusters, where some arrivals are relaxed and some of these have a fence in
  /// front.
  bool cluster_barriers = false;
};

/// The same text for the same seed, on every platform. 2 to 4 threads; 4 loads, 5 stores and 6
/// events at most in all of them, barriers not counted.
std::string generate(std::uint32_t seed, const generator_options& options = {});

/// Litmus tests with proxies: messages that are passed on between accesses by several proxies and
/// addresses of one location, with fences that are sometimes the right ones; and the like in any
/// order. With one-way fences, inc, min, max, volatile, types, and barriers of clusters or with a
/// result. As above: the same text for the same seed.
std::string generate_with_proxies(std::uint32_t seed);

}  // namespace naive
