// The parameters of a machine: its grid and its models. docs/model.md defines each.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace simt {

enum class reconvergence : std::uint8_t { stack, its };
/// sc: sequential consistency. ptx: the PTX memory model (sim/memory).
enum class memory_model : std::uint8_t { sc, ptx };
/// The blocks to whose lanes, or warps, a scheduler owes progress: docs/model.md, "Whom a scheduler
/// owes progress" (Sorensen, Evrard and Donaldson, CONCUR 2018; Sorensen et al., OOPSLA 2021).
/// cuda: by clusters, as the CUDA C++ programming guide has it.
enum class progress : std::uint8_t { fair, unfair, obe, hsa, hsa_obe, lobe, cuda };
/// weak: a unit that is owed progress, and that can always go on, takes steps for ever.
/// strong: each step that is possible again and again is taken, so that luck breaks any lockstep.
enum class fairness : std::uint8_t { weak, strong };
enum class block_order : std::uint8_t { any, index };
/// Which lanes run the body: all, or lane 0 of each warp, or lane 0 of warp 0 of each block.
enum class clients : std::uint8_t { lane, warp, block };

struct grid_shape {
  std::uint32_t blocks = 1;
  std::vector<std::uint32_t> lanes{1};  // of each warp of a block, 1..32
  std::uint32_t cluster = 1;            // blocks of a cluster; the grid has whole clusters
  bool cooperative = false;             // the launch promises that all blocks are resident
  /// The last warp of each block is one lane, the agent that carries out asynchronous copies. The
  /// agent is no thread of the block.
  bool copies = false;

  [[nodiscard]] std::uint32_t warps() const { return static_cast<std::uint32_t>(lanes.size()); }
  [[nodiscard]] std::uint32_t block_threads() const {
    return std::accumulate(lanes.begin(), lanes.end(), 0U);
  }
  [[nodiscard]] std::uint32_t threads() const { return blocks * block_threads(); }
  /// The number of agents in each block. Each agent is a lane and a warp.
  [[nodiscard]] std::uint32_t agents() const { return copies ? 1 : 0; }
  /// Threads of the grid, without agents.
  [[nodiscard]] std::uint32_t own_threads() const { return threads() - blocks * agents(); }
  /// Whether the warp, numbered in the grid, is an agent for copies.
  [[nodiscard]] bool is_agent(std::uint32_t warp) const {
    return copies && warp % warps() == warps() - 1;
  }
  [[nodiscard]] bool share_cluster(std::uint32_t block, std::uint32_t other) const {
    return block / cluster == other / cluster;
  }
};

/// How fence.sc is explored under `ptx`: as it is, or as something that orders less.
/// docs/reductions.md, "Weaker fences".
enum class sc_fences : std::uint8_t {
  as_they_are,
  through_barriers,  // acq_rel, and what barriers make of that; only where no other order is used
  acq_rel,
};

struct machine_model {
  simt::reconvergence reconvergence = simt::reconvergence::its;
  simt::memory_model memory = simt::memory_model::sc;
  bool promises = true;                                   // ptx: with load buffering
  simt::sc_fences fences = simt::sc_fences::as_they_are;  // ptx
  std::uint32_t resident = 0;                             // blocks at a time; 0: all
  simt::block_order order = simt::block_order::any;
};

}  // namespace simt
