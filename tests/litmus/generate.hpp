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
};

/// The same text for the same seed, on every platform. 2 to 4 threads; 4 loads, 5 stores and 6
/// events at most in all of them, barriers not counted.
std::string generate(std::uint32_t seed, const generator_options& options = {});

}  // namespace naive
