// Thin kernels on libcu++: barriers, latches, semaphores, an atomic that threads wait for.
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;
using device_latch = cuda::latch<cuda::thread_scope_device>;
using device_semaphore = cuda::counting_semaphore<cuda::thread_scope_device, 1>;
using device_flag = cuda::atomic<int, cuda::thread_scope_device>;

// Each thread reads its neighbour's cell, and writes it in a second phase.
extern "C" __global__ void barrier(const int* in, int* out) {
  __shared__ block_barrier meeting;
  __shared__ int cells[64];
  if (threadIdx.x == 0) init(&meeting, blockDim.x);
  __syncthreads();
  cells[threadIdx.x] = in[threadIdx.x];
  meeting.arrive_and_wait();
  const int next = cells[(threadIdx.x + 1) % blockDim.x];
  meeting.arrive_and_wait();
  cells[threadIdx.x] = next;
  out[blockIdx.x * blockDim.x + threadIdx.x] = next;
}

// All threads of all blocks meet once.
extern "C" __global__ void latch(device_latch* all, int* cells, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  cells[i] = i;
  all->arrive_and_wait();
  out[i] = cells[(i + 1) % (gridDim.x * blockDim.x)];
}

// One thread of each block stands for it.
extern "C" __global__ void latch_of_blocks(device_latch* all, int* cells, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  cells[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) all->arrive_and_wait();
  __syncthreads();
  out[i] = cells[(i + blockDim.x) % (gridDim.x * blockDim.x)];
}

extern "C" __global__ void semaphore(device_semaphore* only, int* count) {
  if (threadIdx.x == 0) {
    only->acquire();
    *count += 1;
    only->release();
  }
}

// Block 0 has data for the others.
extern "C" __global__ void wait_for(device_flag* flag, int* data, int* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      flag->store(1, cuda::memory_order_release);
      flag->notify_all();
    }
  } else {
    if (threadIdx.x == 0) flag->wait(0, cuda::memory_order_acquire);
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];
  }
}
