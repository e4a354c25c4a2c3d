// Thin kernels on cooperative groups: a block, tiles of it, the lanes of a branch, a grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

extern "C" __global__ void block(const int* in, int* out) {
  extern __shared__ int cells[];
  const cg::thread_block all = cg::this_thread_block();
  cells[all.thread_rank()] = in[threadIdx.x];
  all.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = cells[(threadIdx.x + 1) % blockDim.x];
}

// The sum of each tile; one thread adds them up.
extern "C" __global__ void tiles(const int* in, int* out) {
  __shared__ int sums[4];
  const cg::thread_block all = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(all);
  const int sum = cg::reduce(tile, in[blockIdx.x * blockDim.x + threadIdx.x], cg::plus<int>());
  if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = sum;
  all.sync();
  if (threadIdx.x == 0) {
    int total = 0;
    for (unsigned k = 0; k < tile.meta_group_size(); ++k) total += sums[k];
    out[blockIdx.x] = total;
  }
}

extern "C" __global__ void scans(const int* in, int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = cg::exclusive_scan(tile, in[i]);
}

// One atomic operation for all lanes that have something to append.
extern "C" __global__ void coalesced(const int* in, int* count, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] % 2 == 0) {
    const cg::coalesced_group together = cg::coalesced_threads();
    int first = 0;
    if (together.thread_rank() == 0) first = atomicAdd(count, together.size());
    out[together.shfl(first, 0) + together.thread_rank()] = in[i];
  }
}

// Each thread reads what the same thread of the other block has written.
extern "C" __global__ void grid(const int* in, int* out) {
  const cg::grid_group all = cg::this_grid();
  out[all.thread_rank()] = in[all.thread_rank()];
  all.sync();
  const int other = out[(all.thread_rank() + blockDim.x) % all.size()];
  all.sync();
  out[all.thread_rank()] = other;
}

// The warps of a tile exchange data through memory.
extern "C" __global__ void wide_tile(const int* in, int* out) {
  __shared__ int cells[64];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  cells[threadIdx.x] = in[threadIdx.x];
  tile.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = cells[threadIdx.x ^ 63];
}
