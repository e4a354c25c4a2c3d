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

sample generate(std::uint64_t seed, unsigned index);

/// The configuration under each model: `stack` and `its`, `fair` and unfair.
std::vector<configuration> variants(const configuration& c);

}  // namespace naive
