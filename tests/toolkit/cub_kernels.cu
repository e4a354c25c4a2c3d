// Thin kernels on CUB: a reduction of a block, and the agents of DeviceScan, DeviceSelect and of
// the onesweep pass of DeviceRadixSort, with tiles of 64 items.
// The agents use these without including them.
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>

#include <cub/agent/agent_radix_sort_onesweep.cuh>
#include <cub/agent/agent_scan.cuh>
#include <cub/agent/agent_select_if.cuh>
#include <cub/block/block_reduce.cuh>

constexpr int threads = 64;
using no_delay = cub::detail::no_delay_constructor_t<0>;

extern "C" __global__ void block_sum(const int* in, int* out) {
  using reduction = cub::BlockReduce<int, threads>;
  __shared__ reduction::TempStorage storage;
  const int sum = reduction(storage).Sum(in[blockIdx.x * threads + threadIdx.x]);
  __syncthreads();
  const int count = reduction(storage).Sum(1);
  if (threadIdx.x == 0) out[blockIdx.x] = sum + count;
}

using scan_policy = cub::AgentScanPolicy<threads, 1, int, cub::BLOCK_LOAD_DIRECT, cub::LOAD_DEFAULT,
                                         cub::BLOCK_STORE_DIRECT, cub::BLOCK_SCAN_WARP_SCANS,
                                         cub::detail::MemBoundScaling<threads, 1, int>, no_delay>;
using scan_agent = cub::detail::scan::AgentScan<scan_policy, int*, int*, ::cuda::std::plus<>,
                                                cub::NullType, int, int>;

extern "C" __global__ void scan(cub::ScanTileState<int> state, int* in, int* out, int count) {
  __shared__ scan_agent::TempStorage storage;
  scan_agent(storage, in, out, {}, {}).ConsumeRange(count, state, 0);
}

struct is_even {
  __device__ bool operator()(int value) const { return value % 2 == 0; }
};
struct one_partition {
  __device__ int input_offset() const { return 0; }
  __device__ bool is_first_partition() const { return true; }
  __device__ int num_previously_selected() const { return 0; }
  __device__ int num_previously_rejected() const { return 0; }
  __device__ int num_total_items(int count) const { return count; }
  __device__ void update_num_selected(int* to, int count) const { *to = count; }
};
using select_policy =
    cub::AgentSelectIfPolicy<threads, 1, cub::BLOCK_LOAD_DIRECT, cub::LOAD_DEFAULT,
                             cub::BLOCK_SCAN_WARP_SCANS, no_delay>;
using select_agent =
    cub::detail::select::AgentSelectIf<select_policy, int*, cub::NullType*, int*, is_even,
                                       cub::NullType, int, one_partition, cub::SelectImpl::Select>;

extern "C" __global__ void select_even(cub::ScanTileState<int> state, int* in, int* out,
                                       int* selected, int count) {
  __shared__ select_agent::TempStorage storage;
  select_agent(storage, in, nullptr, out, {}, {}, count, one_partition{})
      .ConsumeRange(gridDim.x, state, selected);
}

using onesweep_policy =
    cub::AgentRadixSortOnesweepPolicy<threads, 1, unsigned, 1, cub::RADIX_RANK_MATCH,
                                      cub::BLOCK_SCAN_WARP_SCANS, cub::RADIX_SORT_STORE_DIRECT, 6,
                                      cub::detail::RegBoundScaling<threads, 1, unsigned>>;
using onesweep_agent =
    cub::detail::radix_sort::AgentRadixSortOnesweep<onesweep_policy, false, unsigned, cub::NullType,
                                                    unsigned, int>;

extern "C" __global__ void onesweep(int* lookback, int* counter, const unsigned* bins,
                                    const unsigned* in, unsigned* out, int count) {
  __shared__ onesweep_agent::TempStorage storage;
  onesweep_agent(storage, lookback, counter, nullptr, bins, out, in, nullptr, nullptr, count, 0, 6)
      .Process();
}
