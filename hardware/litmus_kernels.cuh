// The kernels of the litmus runner: prepare, carry out, collect.
//
// Many instances of a test run at once, each with locations of its own (Levine et al., MC Mutants,
// ASPLOS 2023). In each launch a new permutation says which block and thread takes which part. The
// orders and distances of locations change too, so that neighbours in a cache line belong to
// instances that disturb each other. Blocks that are left over stress the memory until all others
// are done, with two accesses a round at one of a few places (Sorensen & Donaldson, PLDI 2016).
// Threads of tests may stress memory before they start, wait for each other, and read their
// locations before (the incantations of Alglave et al., ASPLOS 2015).
//
// What the harness adds to a thread before it starts is relaxed, or weak, and without fences: it
// orders nothing that the test does not.
#pragma once

#include "litmus_test.cuh"

namespace litmus_gpu {

__device__ inline unsigned mixed(unsigned a) {
  a ^= a >> 16;
  a *= 0x7feb352dU;
  a ^= a >> 15;
  a *= 0x846ca68bU;
  return a ^ (a >> 16);
}

/// Accesses one place again and again. All blocks share a few such lines.
__device__ __noinline__ void stress(const launch& all, unsigned rounds) {
  const unsigned line = mixed(blockIdx.x + all.seed) % all.stress_lines;
  volatile unsigned* place = all.scratch + line * all.stress_stride + threadIdx.x % 16;
  for (unsigned i = 0; i < rounds; ++i) {
    if ((all.stress_pattern & 1) != 0)
      *place = i;
    else
      static_cast<void>(*place);
    if ((all.stress_pattern & 2) != 0)
      *place = i + 1;
    else
      static_cast<void>(*place);
  }
}

/// Stresses memory until every block that carries out a test has finished. All of them are
/// resident, so they do finish.
__device__ inline void stress_meanwhile(const launch& all, unsigned blocks) {
  constexpr unsigned most = 1u << 14;
  const volatile unsigned* finished = all.finished;
  for (unsigned i = 0; i < most && *finished < blocks; ++i) stress(all, 16);
}

__device__ __noinline__ void view::start() const {
  if (all->preload) {
    word sum = 0;
    for (unsigned l = 0; l < all->locations; ++l) {
      word read;
      asm volatile("ld.weak.global.s64 %0, [%1];" : "=l"(read) : "l"(address(l)) : "memory");
      sum |= read & all->zero;
    }
    if (sum != 0) all->scratch[0] = 1;  // never: but the compiler does not know
  }
  if (all->together) {
    unsigned* mine = all->arrived + instance;
    if (all->several_gpus)
      atomicAdd_system(mine, 1);
    else
      atomicAdd(mine, 1);
    constexpr unsigned patience = 1u << 12;  // rounds
    const volatile unsigned* there = mine;
    for (unsigned i = 0; i < patience && *there < all->threads; ++i) {
    }
  }
  const long long begin = clock64();
  while (clock64() - begin < wait) {
  }
  if (all->native_barriers != 0) __syncwarp();
}

__global__ void prepare(word* memory, const word* initial, unsigned locations, unsigned instances,
                        unsigned stride) {
  const unsigned all = locations * instances;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < all; i += gridDim.x * blockDim.x) {
    memory[static_cast<std::size_t>(i) * stride] = initial[i / instances];
  }
}

__global__ void __launch_bounds__(32 * most_threads, 2)
    carry_out(const __grid_constant__ launch all) {
  const unsigned unit = blockIdx.x / all.cluster_size;
  const unsigned place = static_cast<unsigned>(
      (static_cast<unsigned long long>(unit) * all.block_factor + all.block_shift) % all.units);
  const unsigned group = place / all.clusters;
  unsigned cta = no_cta;
  if (group < all.groups) {
    cta = all.cta_at[place % all.clusters][(blockIdx.x + all.rotation) % all.cluster_size];
  }
  if (cta == no_cta) {
    unsigned blocks = 0;
    for (unsigned c = 0; c < all.clusters; ++c) {
      for (unsigned r = 0; r < all.cluster_size; ++r) blocks += all.cta_at[c][r] != no_cta;
    }
    stress_meanwhile(all, all.groups * blocks);
    return;
  }

  const unsigned places = all.per_block * all.threads_of_cta;
  const unsigned factor = all.thread_factor[cta], shift = all.thread_shift[cta];
  unsigned member = no_cta, within = 0;
  if (!all.whole_warps) {
    if (threadIdx.x < places) {
      const unsigned at = (threadIdx.x * factor + shift) % places;
      member = at / all.per_block;
      within = at % all.per_block;
    }
  } else {
    const unsigned warp = (threadIdx.x / 32 + shift) % (blockDim.x / 32), lane = threadIdx.x % 32;
    const unsigned of_instances = warp / all.threads_of_cta;
    if (of_instances < all.per_block / 32) {
      member = warp % all.threads_of_cta;
      if (all.native_barriers != 0) {
        // All 32 instances of a warp meet at its barriers.
        within = of_instances * 32 + (lane * (2 * member + factor) + shift) % 32;
      } else {
        within = ((of_instances * 32 + lane) * factor + shift * (member + 1)) % all.per_block;
      }
    }
  }
  if (member < all.thread_count[cta]) {
    const unsigned thread = all.thread_of[cta][member];
    const unsigned instance = group * all.per_block + within;
    if (all.stress_before != 0) stress(all, all.stress_before);
    view here;
    here.all = &all;
    here.instance = instance;
    here.wait = mixed(all.seed ^ mixed(instance * most_threads + thread)) & all.jitter;
    here.zero = all.zero;
    here.bound = all.bound;
    const auto global = [](void* p) { return static_cast<long long>(__cvta_generic_to_global(p)); };
    here.registers = global(all.registers + static_cast<std::size_t>(instance) * all.all_registers +
                            all.first_register[thread]);
    here.late = global(all.late + instance);
    here.slots = global(all.slots + static_cast<std::size_t>(instance) * all.all_slots);
    here.first_barrier = 1 + within / 32 * all.native_barriers;  // 0 is that of __syncthreads
    // The lanes of a warp meet at barriers, so they begin together.
    if (all.native_barriers != 0) here.wait = mixed(all.seed ^ thread) & all.jitter;
    run_thread(all.first_thread + thread, here);
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(all.finished, 1);
}

/// Writes a row of `observed` values for each instance. `late` keeps its marks.
__global__ void collect(const __grid_constant__ launch all, const unsigned* observed,
                        unsigned columns, word* rows) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < all.instances;
       i += gridDim.x * blockDim.x) {
    view here;
    here.all = &all;
    here.instance = i;
    for (unsigned c = 0; c < columns; ++c) {
      const unsigned what = observed[c];
      word value;
      if (what < all.all_registers) {
        value = all.registers[static_cast<std::size_t>(i) * all.all_registers + what];
      } else {
        value = *static_cast<word*>(__cvta_global_to_generic(
            static_cast<std::size_t>(here.address(what - all.all_registers))));
      }
      rows[static_cast<std::size_t>(i) * columns + c] = value;
    }
  }
}

}  // namespace litmus_gpu
