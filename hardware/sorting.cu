// Measures how long sorting takes by GPU-Quicksort (Cederman's thesis, 2011, chapter 2), with both
// phases of algorithms/sorting and the whole host loop of algorithm 1. CUB and std::sort, which a
// user would take today, are measured for comparison.
//
//   nvcc -std=c++20 -O3 -arch=native -DSIMT_MEASURED -Isim/include -Ialgorithms
//   hardware/sorting.cu -o sorting
//
// usage: sorting [options]
//   --subject gpu_quicksort            (this one) pivots as in the listing, prefix sums in parallel
//             |gpu_quicksort_average   phase one with averages of the least and the greatest key
//             |gpu_quicksort_printed   sums and pivots between sequences by one thread
//             |cub_radix|cub_merge     radix sort and merge sort of CUB
//             |std_sort                std::sort, on one core of the CPU
//   --workload uniform|sorted|zero|bucket|gaussian|staggered   (uniform) the thesis's, 2.5.3
//             |scanned   distances of points on a figure, in the order in which a scanner sees them
//   --keys N       (1048576)
//   --blocks N     sequences that phase one makes: `maxseq` of algorithm 1 (1024)
//   --bitonic-below N   phase two sorts shorter sequences by bitonic sort; a power of two from 64
//                  to 4096 (1024)
//   --threads N    of each block (256)
//   --trials N     sorts that are measured, after one that is not (10)
//   --deadline S   seconds after which a launch counts as hanging (10)
//
// Keys are ints from 0 to 2^31 - 1, and are on the GPU before the time begins. Each result is
// checked: the keys must ascend, and the sum of a hash of each key must be what it was.
// building.cuh says what is printed.
#include <algorithm>
#include <vector>

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "quicksort.cuh"
#include "sorted_keys.hpp"

namespace {

using building::unsorted;

/// Measures a sorter of keys on the GPU. `sort(keys, other)` takes two buffers of the same size,
/// and returns the one with the result.
template <class Sorter>
class on_gpu {
 public:
  explicit on_gpu(const building::options& run) : given_(run), sorter_(run) {}

  void clear() { keys_.send(given_.keys().data()); }
  void build() { in_other_ = sorter_.sort(keys_.there(), other_.there()) == other_.there(); }
  [[nodiscard]] const char* what_is_wrong() const {
    std::vector<int> result(given_.keys().size());
    (in_other_ ? other_ : keys_).fetch(result.data());
    return given_.what_is_wrong(result);
  }

 private:
  unsorted given_;
  Sorter sorter_;
  building::device_memory<int> keys_{given_.keys().size()}, other_{given_.keys().size()};
  bool in_other_ = false;
};

/// The memory that CUB asks for beside the keys.
class scratch {
 public:
  template <class Call>
  void use(Call call) {
    if (memory_ == nullptr) {
      building::require(call(nullptr, bytes_), "CUB");
      building::require(cudaMalloc(&memory_, bytes_), "device memory");
    }
    building::require(call(memory_, bytes_), "CUB");
  }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

class cub_radix {
 public:
  explicit cub_radix(const building::options& run) : size_(static_cast<int>(run.places)) {}

  int* sort(int* keys, int* other) {
    scratch_.use([&](void* memory, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(memory, bytes, keys, other, size_);
    });
    return other;
  }

 private:
  int size_;
  scratch scratch_;
};

struct less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

class cub_merge {
 public:
  explicit cub_merge(const building::options& run) : size_(static_cast<int>(run.places)) {}

  int* sort(int* keys, int*) {
    scratch_.use([&](void* memory, std::size_t& bytes) {
      return cub::DeviceMergeSort::SortKeys(memory, bytes, keys, size_, less{});
    });
    return keys;
  }

 private:
  int size_;
  scratch scratch_;
};

class std_sort {
 public:
  explicit std_sort(const building::options& run) : given_(run) {}

  void clear() { keys_ = given_.keys(); }
  void build() { std::sort(keys_.begin(), keys_.end()); }
  [[nodiscard]] const char* what_is_wrong() const { return given_.what_is_wrong(keys_); }

 private:
  unsorted given_;
  std::vector<int> keys_;
};

}  // namespace

int main(int argc, char** argv) {
  const building::room limits{
      "hardware/sorting.cu", "--keys", 1U << 28, "--bitonic-below", 4096, 1U << 14, 1U << 24};
  building::options defaults;
  defaults.subject = "gpu_quicksort";
  defaults.workload = "uniform";
  defaults.places = 1U << 20;
  defaults.amount = 1024;
  defaults.blocks = 1024;
  defaults.threads = 256;
  const building::options run = building::parse(argc, argv, limits, defaults);
  if (building::distribution(run.workload).keys(1).empty())
    building::wrong_use(limits, "there is no distribution \"" + run.workload + "\"");
  if (!building::is_bitonic_size(run.amount))
    building::wrong_use(limits, "--bitonic-below takes a power of two from 64 to 4096");
  const std::string device = building::find_device();
  using building::measure;
  if (run.subject == "gpu_quicksort")
    measure<on_gpu<building::gpu_quicksort<sums::scan, pivots::medians, fills::by_block>>>(run,
                                                                                           device);
  if (run.subject == "gpu_quicksort_average")
    measure<on_gpu<building::gpu_quicksort<sums::scan, pivots::averages, fills::by_block>>>(run,
                                                                                            device);
  if (run.subject == "gpu_quicksort_printed")
    measure<on_gpu<
        building::gpu_quicksort<sums::by_one_thread, pivots::medians, fills::by_one_thread>>>(
        run, device);
  if (run.subject == "cub_radix") measure<on_gpu<cub_radix>>(run, device);
  if (run.subject == "cub_merge") measure<on_gpu<cub_merge>>(run, device);
  if (run.subject == "std_sort") measure<std_sort, building::cpu_clock>(run, device);
  building::wrong_use(limits, "there is no sorter \"" + run.subject + "\"");
}
