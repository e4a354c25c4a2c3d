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

/// `mixed_sizes`: some plain and volatile accesses are of a byte. `phases`: what people write
/// between barriers: arrays indexed by lane, reductions, scans, histograms, a last one that sums
/// up. `choices`: in place of some loads, fences and sleeps the environment chooses. `launches`:
/// the program is launched several times. `messages`: lanes hand on data behind fences, barriers
/// and flags; mostly all that is needed is there. `standing`: lanes wait for others that stand
/// still, at barriers and their halves, collectives of some lanes, flags, counts, locks and nodes
/// (standing.cpp). `dealing`: lanes hand values around their warps (dealing.cpp). `gathering`:
/// lanes change few cells together, or arrive at an mbarrier (gathering.cpp). `scopes`: phases,
/// messages and all else in grids of several blocks, with all scopes; some cells are the block's.
enum class kinds : std::uint8_t {
  any,
  mixed_sizes,
  phases,
  choices,
  launches,
  messages,
  standing,
  dealing,
  gathering,
  scopes
};

sample generate(std::uint64_t seed, unsigned index, grids which = grids::any,
                kinds kind = kinds::any);

/// The configuration under each model: `stack` and `its`, fair and unfair.
std::vector<configuration> variants(const configuration& c);
/// The same with all progress models, weak and strong.
std::vector<configuration> progress_variants(const configuration& c);

}  // namespace naive
