// Random small programs. The same seed and index give the same program on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/naive/program.hpp"

namespace naive {

struct sample {
  program code;          // named gen_<index>
  configuration config;  // the grid, residency and block order; the models are for the caller
};

enum class grids : std::uint8_t { any, several_blocks };

/// `mixed`: some plain and volatile accesses are of a byte.
enum class sizes : std::uint8_t { words, mixed };

sample generate(std::uint64_t seed, unsigned index, grids which = grids::any,
                sizes accessed = sizes::words);

/// The configuration under each model: `stack` and `its`, fair and unfair.
std::vector<configuration> variants(const configuration& c);
/// The same with all progress models, weak and strong.
std::vector<configuration> progress_variants(const configuration& c);

}  // namespace naive
