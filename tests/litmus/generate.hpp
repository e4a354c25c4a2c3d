// Random litmus tests without loops, for comparisons.
#pragma once

#include <cstdint>
#include <string>

namespace naive {

/// The same text for the same seed, on every platform. 2 to 4 threads; 4 loads, 5 stores and 6
/// events at most in all of them. `strong`: no access is weak, nor too narrow for the threads there
/// are, so there are no races.
std::string generate(std::uint32_t seed, bool strong = false);

}  // namespace naive
