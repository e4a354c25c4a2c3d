// The types that the generated code of litmus tests (litmus/gpu/source.cpp) shares with the runner.
#pragma once

#include <vector>

namespace litmus_gpu {

using word = long long;  // a value of a test

constexpr unsigned most_threads = 16;    // of a test
constexpr unsigned largest_cluster = 8;  // blocks
constexpr unsigned most_locations = 64;  // of a test
constexpr unsigned no_cta = 255;

/// A block of a test, with the members of litmus::gpu::cta.
struct cta {
  unsigned gpu, cluster, rank;
  std::vector<unsigned> threads;
};

struct test {
  const char* name;
  unsigned first_thread;            // for run_thread
  std::vector<unsigned> registers;  // number, by thread
  std::vector<word> initial;        // by location
  std::vector<cta> ctas;
  std::vector<unsigned> clusters;  // of an instance, by GPU
  unsigned cluster_size;           // blocks; 1: no clusters are launched
  unsigned native_barriers;        // of the CTA that has most
  unsigned slots;                  // words that stand in for other barriers
  std::vector<unsigned> observed;  // registers of all threads, then locations
};
extern const std::vector<test> tests;

/// The parameters of a launch, which all threads share. All instances are numbered, from 0.
struct launch {
  // Memory of the test, and of the runner itself.
  word* memory;
  word* registers;     // of an instance, by thread: one row for each instance
  word* slots;         // likewise
  unsigned* late;      // by instance: not complete
  unsigned* arrived;   // by instance: threads that are about to start
  unsigned* finished;  // blocks of this GPU that have
  unsigned* scratch;   // for stress
  // The test.
  unsigned first_thread, threads, locations, all_registers, all_slots, native_barriers;
  unsigned cluster_size, clusters;  // of this GPU
  unsigned threads_of_cta;          // places for threads of an instance in a block
  unsigned char cta_at[most_threads][largest_cluster];  // by cluster and rank
  unsigned char thread_count[most_threads];             // by CTA
  unsigned char thread_of[most_threads][most_threads];  // by CTA and number there
  unsigned short first_register[most_threads];          // by thread
  // Which thread does what.
  unsigned groups;  // of clusters: each has `per_block` instances
  unsigned per_block;
  unsigned instances;                            // groups * per_block
  unsigned units;                                // clusters in the grid
  unsigned block_factor, block_shift, rotation;  // which of them are which part of which group
  unsigned thread_factor[most_threads];          // likewise of a block's threads, by CTA
  unsigned thread_shift[most_threads];
  bool whole_warps;  // all lanes of a warp are the same thread of different instances
  // Where locations lie: `stride` words apart, each location with an order of its own.
  unsigned stride;
  unsigned location_factor[8], location_shift[8];
  // Stress, delays and other disturbances of the tests.
  bool together;  // threads of an instance wait for each other
  bool several_gpus;
  bool preload;     // locations are read before
  unsigned jitter;  // a mask: cycles to wait before
  unsigned seed;
  unsigned stress_before;                                // rounds, by threads of tests
  unsigned stress_lines, stress_stride, stress_pattern;  // of the other blocks
  unsigned bound;                                        // rounds of loops
  word zero;                                             // which the compiler does not know
};

/// The parameters of one thread of an instance.
struct view {
  const launch* all;
  unsigned instance;
  unsigned wait;  // cycles
  word zero;
  unsigned bound;
  long long registers;  // addresses in global memory: of the thread's registers,
  long long late;       // of the mark of an instance that is not complete,
  long long slots;      // of its slots
  unsigned first_barrier;

  __device__ __forceinline__ long long address(unsigned location) const {
    const unsigned way = location % 8;
    const unsigned long long place =
        (static_cast<unsigned long long>(instance) * all->location_factor[way] +
         all->location_shift[way]) %
        all->instances;
    const unsigned long long index =
        (static_cast<unsigned long long>(location) * all->instances + place) * all->stride;
    return static_cast<long long>(__cvta_generic_to_global(all->memory + index));
  }

  /// Returns when the other threads of the instance are about to start, too.
  __device__ void start() const;
};

/// Carries out one thread of one instance. Threads are numbered across all tests.
__device__ void run_thread(unsigned thread, const view& here);

}  // namespace litmus_gpu
