// Types that a kernel and the GPU runner (hardware/runner.cu) share. The runner finds the variables
// of kernels in PTX by their names.
#pragma once

#include <cstddef>
#include <cstdint>

#include <simt/detail/hooks.hpp>
#include <simt/detail/launch_parameters.hpp>

namespace simt::detail {

#if defined(__CUDACC__)
__constant__ static launch_parameters launch;
#else
launch_parameters launch asm("simt_launch");
#endif

/// An operation that a client is to carry out, and its outcome. Each client writes its own.
struct gpu_operation {
  unsigned operation;  // of the object's
  unsigned long long arguments[3];
  unsigned long long called, returned;  // tickets, from 1; 0: not yet
  unsigned long long value;             // what it returned
  bool is_some;
};

/// The operations of the lanes of a grid, and the times at which they did them.
struct history_record {
  gpu_operation* operations;   // one thread's behind the other's
  const unsigned* first;       // by thread: its first one; one more number at the end
  unsigned* calls;             // by thread: so many returned so far
  unsigned long long* ticket;  // of the last event
  unsigned* arrived;           // clients that are there
  unsigned clients;            // who wait for each other before their first operation
  unsigned seed;               // of delays before operations; 0: none
};

/// `histories`: the record of the initial content, and that of the grid. `history_turn`: which of
/// the two is being made; 0 until init() has ended.
#if defined(__CUDACC__)
__constant__ static history_record histories[2];
__device__ static unsigned history_turn;
#else
history_record histories[2] asm("simt_histories");
unsigned history_turn asm("simt_history_turn");
#endif

/// Host storage for a device array. `place`: where the array's pointer is kept. The runner rewrites
/// it in the image that it copies to the device.
void* allocate_array_storage(void* place, const char* name, std::size_t size, std::size_t align,
                             element_kind kind, std::size_t* count);

/// The shape of a launch: blocks of whole warps.
struct gpu_grid {
  unsigned blocks = 1;
  unsigned warps = 1;    // of a block
  unsigned cluster = 1;  // blocks of a cluster
  bool cooperative = false;
};

/// One way to run a subject on a GPU.
struct gpu_entry {
  subject_entry entry;  // init and body are null: device code has no address on the host
  void (*init)(void* object);
  void (*launch)(void* object, unsigned repeat, const gpu_grid& grid);
  const char* workload_type;  // mangled: by it kernels are found in PTX
};

void register_gpu_entry(const gpu_entry* entry);

}  // namespace simt::detail
