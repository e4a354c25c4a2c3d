// Measures how the threads of a block learn where their keys go: Cederman's thesis (2011), section
// 2.3.2, by the code of algorithms/sorting/block_counts.hpp, and by other means.
//
//   nvcc -std=c++20 -O3 -arch=native -DSIMT_MEASURED -Isim/include -Ialgorithms
//   hardware/sums.cu -o sums
//
// usage: sums [options]
//   --subject scan|one_thread|fetch_and_add   (scan) prefix sums by all threads, or by one of them;
//                                  or each thread adds to sums in block-shared memory
//             |fetch_and_add_global  to sums in global memory, as the GPUs of the thesis had to
//             |cub                 cub::BlockScan
//   --operations N   times that a block adds up, one behind the other (1000)
//   --blocks N       (132)
//   --threads N      of each block, a power of two from 32 on (128)
//   --trials N       launches that are measured, after one that is not (10)
//   --deadline S     seconds after which a launch counts as hanging (10)
//
// Each time, every thread has a number of low and one of high keys, up to 7, that depend on the
// sums of the time before. Each launch is checked: the last places of all threads must follow each
// other, and the last sums be right. building.cuh says what is printed.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <cub/block/block_scan.cuh>

#include "building.cuh"

#include "sorting/block_counts.hpp"

namespace {

constexpr int most_threads = 1024;

/// Of one thread: its counts, and how many keys of threads before it there are.
struct place {
  int lows, highs, low, high;
};

__host__ __device__ int count_of(int thread, int time, int before, int salt) {
  return (before + 7 * thread + 3 * time + salt) & 7;
}

/// The sums of a block in global memory.
struct two_sums {
  int low, high;
};

/// `Way` has `add_up(lows, highs)`, which all threads call; behind it `low()` and `high()` are the
/// keys of threads before this one, and `all_low()` and `all_high()` those of all.
template <class Way>
__global__ void add_up_often(unsigned times, two_sums* sums, place* last) {
  __shared__ typename Way::shared shared;
  Way way{shared, sums[blockIdx.x]};
  const int me = static_cast<int>(threadIdx.x);
  int lows = 0, highs = 0, all_low = 0, all_high = 0;
  for (unsigned time = 0; time < times; ++time) {
    lows = count_of(me, static_cast<int>(time), all_low, 0);
    highs = count_of(me, static_cast<int>(time), all_high, 5);
    way.add_up(lows, highs);
    all_low = way.all_low();
    all_high = way.all_high();
    if (time + 1 == times)
      last[blockIdx.x * blockDim.x + threadIdx.x] = {lows, highs, way.low(), way.high()};
    __syncthreads();
  }
}

/// By the code of the shipped subjects.
template <sums how>
struct by_counts {
  using shared = block_counts<most_threads, how>;

  shared& counts;
  two_sums& unused;

  __device__ void add_up(int lows, int highs) {
    counts.add_up(lows, highs);
    if constexpr (how != sums::scan) __syncthreads();  // the scan ends with one
  }
  __device__ int low() const { return counts.low[threadIdx.x]; }
  __device__ int high() const { return counts.high[threadIdx.x]; }
  __device__ int all_low() const { return counts.low[blockDim.x]; }
  __device__ int all_high() const { return counts.high[blockDim.x]; }
};

struct global_sums {
  struct shared {};

  shared& nothing;
  two_sums& all;
  int before_low = 0, before_high = 0;

  __device__ void add_up(int lows, int highs) {
    if (threadIdx.x == 0) {
      atomicExch(&all.low, 0);
      atomicExch(&all.high, 0);
    }
    __syncthreads();
    before_low = atomicAdd(&all.low, lows);
    before_high = atomicAdd(&all.high, highs);
    __syncthreads();
  }
  __device__ int low() const { return before_low; }
  __device__ int high() const { return before_high; }
  __device__ int all_low() const { return *static_cast<volatile int*>(&all.low); }
  __device__ int all_high() const { return *static_cast<volatile int*>(&all.high); }
};

template <int threads>
struct cub_sums {
  using scan = cub::BlockScan<int, threads>;
  struct shared {
    typename scan::TempStorage low, high;
  };

  shared& storage;
  two_sums& unused;
  int before_low = 0, before_high = 0, sum_low = 0, sum_high = 0;

  __device__ void add_up(int lows, int highs) {
    scan(storage.low).ExclusiveSum(lows, before_low, sum_low);
    scan(storage.high).ExclusiveSum(highs, before_high, sum_high);
  }
  __device__ int low() const { return before_low; }
  __device__ int high() const { return before_high; }
  __device__ int all_low() const { return sum_low; }
  __device__ int all_high() const { return sum_high; }
};

template <class Way>
class on_gpu {
 public:
  explicit on_gpu(const building::options& run) : run_(run) {}

  void clear() {}
  void build() {
    add_up_often<Way><<<run_.blocks, run_.threads>>>(run_.amount, sums_.there(), last_.there());
  }
  [[nodiscard]] const char* what_is_wrong() const {
    std::vector<place> last(std::size_t{run_.blocks} * run_.threads);
    last_.fetch(last.data());
    const std::vector<std::pair<int, int>> due = counts();
    for (unsigned block = 0; block < run_.blocks; ++block) {
      std::vector<std::pair<int, int>> low, high;  // places, and how many keys they have
      for (unsigned thread = 0; thread < run_.threads; ++thread) {
        const place& one = last[block * run_.threads + thread];
        if (due[thread] != std::pair(one.lows, one.highs)) return "sums are wrong";
        low.emplace_back(one.low, one.lows);
        high.emplace_back(one.high, one.highs);
      }
      if (!follow(std::move(low)) || !follow(std::move(high)))
        return "places do not follow each other";
    }
    return nullptr;
  }

 private:
  const building::options& run_;
  building::device_memory<two_sums> sums_{run_.blocks};
  building::device_memory<place> last_{std::size_t{run_.blocks} * run_.threads};

  /// The last counts of the threads of a block.
  [[nodiscard]] std::vector<std::pair<int, int>> counts() const {
    std::vector<std::pair<int, int>> all(run_.threads);
    int lows = 0, highs = 0;
    for (unsigned time = 0; time < run_.amount; ++time) {
      int next_lows = 0, next_highs = 0;
      for (unsigned thread = 0; thread < run_.threads; ++thread) {
        const int me = static_cast<int>(thread), now = static_cast<int>(time);
        all[thread] = {count_of(me, now, lows, 0), count_of(me, now, highs, 5)};
        next_lows += all[thread].first;
        next_highs += all[thread].second;
      }
      lows = next_lows;
      highs = next_highs;
    }
    return all;
  }
  static bool follow(std::vector<std::pair<int, int>> places) {
    std::sort(places.begin(), places.end());
    int next = 0;
    for (const auto& [at, count] : places) {
      if (count == 0) continue;
      if (at != next) return false;
      next += count;
    }
    return true;
  }
};

}  // namespace

int main(int argc, char** argv) {
  const building::room limits{"hardware/sums.cu", "", 0, "--operations", 1U << 20};
  building::options defaults;
  defaults.subject = "scan";
  defaults.places = 1;
  defaults.amount = 1000;
  defaults.blocks = 132;
  defaults.threads = 128;
  const building::options run = building::parse(argc, argv, limits, defaults);
  if ((run.threads & (run.threads - 1)) != 0)
    building::wrong_use(limits, "--threads takes a power of two");
  const std::string device = building::find_device();
  using building::measure;
  if (run.subject == "scan") measure<on_gpu<by_counts<sums::scan>>>(run, device);
  if (run.subject == "one_thread") measure<on_gpu<by_counts<sums::by_one_thread>>>(run, device);
  if (run.subject == "fetch_and_add") measure<on_gpu<by_counts<sums::fetch_and_add>>>(run, device);
  if (run.subject == "fetch_and_add_global") measure<on_gpu<global_sums>>(run, device);
  if (run.subject == "cub") {
    if (run.threads == 32) measure<on_gpu<cub_sums<32>>>(run, device);
    if (run.threads == 64) measure<on_gpu<cub_sums<64>>>(run, device);
    if (run.threads == 128) measure<on_gpu<cub_sums<128>>>(run, device);
    if (run.threads == 256) measure<on_gpu<cub_sums<256>>>(run, device);
    if (run.threads == 512) measure<on_gpu<cub_sums<512>>>(run, device);
    measure<on_gpu<cub_sums<1024>>>(run, device);
  }
  building::wrong_use(limits, "there is no subject \"" + run.subject + "\"");
}
