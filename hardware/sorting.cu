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
//   --keys N       (1048576)
//   --blocks N     sequences that phase one makes: `maxseq` of algorithm 1 (1024)
//   --threads N    of each block (256)
//   --trials N     sorts that are measured, after one that is not (10)
//   --deadline S   seconds after which a launch counts as hanging (10)
//
// Keys are ints from 0 to 2^31 - 1, and are on the GPU before the time begins. Each result is
// checked: the keys must ascend, and the sum of a hash of each key must be what it was.
// building.cuh says what is printed.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "building.cuh"
#include "sorting/global_divider.hpp"
#include "sorting/local_quicksort_of.hpp"

namespace {

// --- keys ---

constexpr std::int64_t all_values = std::int64_t{1} << 31;
constexpr std::int64_t parts = 128;  // `p` of bucket and staggered

class distribution {
 public:
  explicit distribution(std::string name) : name_(std::move(name)) {}

  std::vector<int> keys(std::size_t count) {
    std::vector<int> all(count);
    if (name_ == "uniform") return fill(all, [&](std::size_t) { return below(all_values); });
    if (name_ == "sorted") return ascending(all);
    if (name_ == "zero") {
      const std::int64_t key = below(all_values);
      return fill(all, [&](std::size_t) { return key; });
    }
    if (name_ == "gaussian") {
      return fill(all, [&](std::size_t) {
        return (below(all_values) + below(all_values) + below(all_values) + below(all_values)) / 4;
      });
    }
    const std::size_t block = std::max<std::size_t>(1, count / parts);
    if (name_ == "bucket") {
      const std::size_t section = std::max<std::size_t>(1, block / parts);
      return fill(all, [&](std::size_t i) {
        return in_part(static_cast<std::int64_t>(i % block / section));
      });
    }
    if (name_ == "staggered") {
      return fill(all, [&](std::size_t i) {
        const auto in = std::min<std::int64_t>(static_cast<std::int64_t>(i / block), parts - 1);
        return in_part(in < parts / 2 ? 2 * in + 1 : 2 * in - parts);
      });
    }
    return {};
  }

 private:
  std::string name_;
  std::mt19937 random_{1};

  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_()) * bound >> 32;
  }
  std::int64_t in_part(std::int64_t part) {
    return std::min(part, parts - 1) * (all_values / parts) + below(all_values / parts);
  }
  template <class Key>
  static std::vector<int>& fill(std::vector<int>& all, Key key) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(key(i));
    return all;
  }
  /// Sorted uniform values are distributed like sums of exponential ones, divided by the sum of
  /// all.
  std::vector<int>& ascending(std::vector<int>& all) {
    std::vector<double> sums(all.size() + 1);
    std::exponential_distribution<double> step;
    double sum = 0;
    for (double& at : sums) at = sum += step(random_);
    return fill(all, [&](std::size_t i) {
      return static_cast<std::int64_t>(sums[i] / sum * static_cast<double>(all_values - 1));
    });
  }
};

/// A number that does not depend on the order of the keys. The hash is splitmix64.
std::uint64_t fingerprint(const std::vector<int>& keys) {
  std::uint64_t sum = 0;
  for (const int key : keys) {
    std::uint64_t x = static_cast<std::uint64_t>(key) + 0x9e3779b97f4a7c15U;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    sum += x ^ x >> 31;
  }
  return sum;
}

class unsorted {
 public:
  explicit unsorted(const building::options& run)
      : keys_(distribution(run.workload).keys(run.places)), fingerprint_(fingerprint(keys_)) {}

  [[nodiscard]] const std::vector<int>& keys() const { return keys_; }
  [[nodiscard]] const char* what_is_wrong(const std::vector<int>& result) const {
    if (!std::ranges::is_sorted(result)) return "the keys are not in order";
    return fingerprint(result) == fingerprint_ ? nullptr : "the keys are not those that were given";
  }

 private:
  std::vector<int> keys_;
  std::uint64_t fingerprint_;
};

// --- sorters ---

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

/// Any number of keys, with the members of `drawn_keys`.
struct many_keys {
  int* d;
  int* hat;
};

/// The work of one block in phase one.
struct block_part {
  int sequence;
  int begin, end;
};

template <class Divider>
__global__ void divide_all(many_keys keys, typename Divider::sequence* sequences,
                           const block_part* all) {
  const block_part mine = all[simt::block_index()];
  Divider(keys, sequences[mine.sequence], simt::block_shared<typename Divider::block_memory>())
      .divide(mine.begin, mine.end);
}

template <class Sorter>
__global__ void sort_all(many_keys keys, const key_range* all) {
  Sorter(keys, simt::block_shared<typename Sorter::block_memory>()).sort(all[simt::block_index()]);
}

/// The host loop of algorithm 1.
template <sums how, pivots chosen, fills filled>
class gpu_quicksort {
 public:
  explicit gpu_quicksort(const building::options& run)
      : size_(static_cast<int>(run.places)), most_(run.blocks), threads_(run.threads) {}

  int* sort(int* d, int* hat) {
    const many_keys keys{d, hat};
    std::vector<pending> work{{{0, size_, false}, first_pivot(d)}};
    std::vector<key_range> done;
    while (!work.empty() && work.size() + done.size() < most_) work = divide(keys, work, done);
    for (const pending& each : work) done.push_back(each.all);
    if (done.empty()) return d;
    building::require(cudaMemcpyAsync(ranges_.there(), done.data(), done.size() * sizeof done[0],
                                      cudaMemcpyHostToDevice),
                      "sequences");
    sort_all<sorter><<<static_cast<unsigned>(done.size()), threads_>>>(keys, ranges_.there());
    return d;
  }

 private:
  using divider = global_divider<many_keys, how, global_fault::none, chosen, filled>;
  using sorter = local_sorter<local_fault::none, 1024, many_keys, how>;
  using sequence = typename divider::sequence;
  struct pending {
    key_range all;
    int pivot;
  };

  int size_;
  std::size_t most_;
  unsigned threads_;
  // Less than `most_` sequences become at most twice as many, in blocks of at least their size
  // over `most_`, and one more block for each.
  building::device_memory<sequence> sequences_{2 * most_};
  building::device_memory<block_part> blocks_{4 * most_};
  building::device_memory<key_range> ranges_{2 * most_};

  static int fetched(const int* key) {
    int value = 0;
    building::require(cudaMemcpy(&value, key, sizeof value, cudaMemcpyDeviceToHost), "a key");
    return value;
  }
  int first_pivot(const int* d) const {
    return median(fetched(d), fetched(d + size_ / 2), fetched(d + size_ - 1));
  }

  /// A round of phase one. Returns the sequences that are long enough for another round. Phase two
  /// sorts the others.
  std::vector<pending> divide(const many_keys& keys, const std::vector<pending>& work,
                              std::vector<key_range>& done) {
    std::int64_t all_keys = 0;
    for (const pending& each : work) all_keys += each.all.size();
    const auto most = static_cast<std::int64_t>(most_);
    const auto block_size = static_cast<int>((all_keys + most - 1) / most);
    std::vector<sequence> sequences;
    std::vector<block_part> blocks;
    for (const pending& each : work) {
      const int count = (each.all.size() + block_size - 1) / block_size;
      const auto number = static_cast<int>(sequences.size());
      sequences.emplace_back().begin(each.all, each.pivot, count);
      for (int i = 0; i < count; ++i) {
        const int begin = each.all.begin + i * block_size;
        blocks.push_back({number, begin, std::min(begin + block_size, each.all.end)});
      }
    }
    launch(keys, sequences, blocks);
    std::vector<pending> more;
    for (const sequence& each : sequences) {
      sort_out({each.lows(), each.lows_pivot}, more, done);
      sort_out({each.highs(), each.highs_pivot}, more, done);
    }
    return more;
  }
  void launch(const many_keys& keys, std::vector<sequence>& sequences,
              const std::vector<block_part>& blocks) {
    const std::size_t bytes = sequences.size() * sizeof(sequence);
    building::require(
        cudaMemcpyAsync(sequences_.there(), sequences.data(), bytes, cudaMemcpyHostToDevice),
        "sequences");
    building::require(cudaMemcpyAsync(blocks_.there(), blocks.data(),
                                      blocks.size() * sizeof blocks[0], cudaMemcpyHostToDevice),
                      "blocks");
    divide_all<divider><<<static_cast<unsigned>(blocks.size()), threads_>>>(
        keys, sequences_.there(), blocks_.there());
    building::require(
        cudaMemcpy(sequences.data(), sequences_.there(), bytes, cudaMemcpyDeviceToHost),
        "phase one");
  }
  void sort_out(const pending& part, std::vector<pending>& more, std::vector<key_range>& done) {
    if (part.all.size() == 0) return;
    if (part.all.size() < static_cast<std::int64_t>(size_) / static_cast<std::int64_t>(most_))
      done.push_back(part.all);
    else
      more.push_back(part);
  }
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
  const building::room limits{"hardware/sorting.cu", "--keys", 1U << 28, "", 0, 1U << 14, 1U << 24};
  building::options defaults;
  defaults.subject = "gpu_quicksort";
  defaults.workload = "uniform";
  defaults.places = 1U << 20;
  defaults.blocks = 1024;
  defaults.threads = 256;
  const building::options run = building::parse(argc, argv, limits, defaults);
  if (distribution(run.workload).keys(1).empty())
    building::wrong_use(limits, "there is no distribution \"" + run.workload + "\"");
  const std::string device = building::find_device();
  using building::measure;
  if (run.subject == "gpu_quicksort")
    measure<on_gpu<gpu_quicksort<sums::scan, pivots::medians, fills::by_block>>>(run, device);
  if (run.subject == "gpu_quicksort_average")
    measure<on_gpu<gpu_quicksort<sums::scan, pivots::averages, fills::by_block>>>(run, device);
  if (run.subject == "gpu_quicksort_printed")
    measure<on_gpu<gpu_quicksort<sums::by_one_thread, pivots::medians, fills::by_one_thread>>>(
        run, device);
  if (run.subject == "cub_radix") measure<on_gpu<cub_radix>>(run, device);
  if (run.subject == "cub_merge") measure<on_gpu<cub_merge>>(run, device);
  if (run.subject == "std_sort") measure<std_sort, building::cpu_clock>(run, device);
  building::wrong_use(limits, "there is no sorter \"" + run.subject + "\"");
}
