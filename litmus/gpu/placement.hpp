// Where the threads of a litmus test run on GPUs, and what the hardware's barriers can do for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "litmus/program.hpp"

namespace litmus::gpu {

/// A CTA of a test, and its place in the launch: GPU `gpu`, cluster `cluster` of the instance on
/// that GPU, block `rank` of that cluster.
struct cta {
  std::uint32_t gpu = 0;
  std::uint32_t cluster = 0;
  std::uint32_t rank = 0;
  std::vector<std::uint32_t> threads;

  friend bool operator==(const cta&, const cta&) = default;
};

/// How a barrier instruction is carried out.
struct barrier_way {
  bool native = false;       // by barrier.sync and barrier.arrive of the hardware
  std::uint32_t number = 0;  // native: of the barrier, from 0, in its CTA; else: of its slot
  std::uint32_t count = 0;   // native: participating threads of the test
};

struct placement_plan {
  std::vector<cta> ctas;              // in the order of their first threads
  std::vector<std::uint32_t> cta_of;  // by thread: an index of `ctas`
  std::uint32_t gpus = 1;
  std::uint32_t cluster_size = 1;                  // blocks; 1: no clusters are launched
  std::vector<std::uint32_t> clusters;             // by GPU: clusters of an instance
  std::uint32_t threads_of_cta = 1;                // of the one that has most
  std::uint32_t native_barriers = 0;               // of the CTA that has most
  std::uint32_t slots = 0;                         // of barriers that memory stands in for
  std::vector<std::vector<barrier_way>> barriers;  // by thread and instruction
};

/// `terminates`: every execution of the test is known to end. Only then are the hardware's barriers
/// used, which a thread cannot leave. Otherwise memory stands in for them.
placement_plan place(const program& p, bool terminates);

/// The GPUs that are there.
struct machine {
  std::uint32_t architecture = 0;  // 90: sm_90
  std::uint32_t gpus = 1;
};

/// Why the test cannot be compiled for the architecture. Empty: it can.
std::string why_not_compiled(const program& p, std::uint32_t architecture);

/// Why the GPUs cannot run the test, compiled or not. Empty: they can.
std::string why_not_run(const program& p, const machine& there);

}  // namespace litmus::gpu
