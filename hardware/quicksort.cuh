// GPU-Quicksort (Cederman's thesis, 2011, chapter 2) for many keys, by both phases of
// algorithms/sorting and the whole host loop of algorithm 1: for sorting.cu and
// sorting_parameters.cu.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "building.cuh"
#include "sorting/global_divider.hpp"
#include "sorting/local_quicksort_of.hpp"

namespace building {

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

/// The lengths from which on phase two does not sort by bitonic sort.
template <int... sizes>
struct size_list {};
using bitonic_sizes = size_list<64, 128, 256, 512, 1024, 2048, 4096>;

template <int... sizes, class Call>
void for_sizes(size_list<sizes...>, Call call) {
  (call.template operator()<sizes>(), ...);
}
inline bool is_bitonic_size(unsigned size) {
  bool found = false;
  for_sizes(bitonic_sizes{}, [&]<int each>() { found = found || size == each; });
  return found;
}

/// The host loop of algorithm 1. `amount` of the options: sequences that are shorter are sorted by
/// bitonic sort in phase two.
template <sums how, pivots chosen, fills filled>
class gpu_quicksort {
 public:
  explicit gpu_quicksort(const options& run)
      : size_(static_cast<int>(run.places)),
        most_(run.blocks),
        threads_(run.threads),
        bitonic_below_(run.amount) {}
  /// `between`: recorded behind phase one.
  gpu_quicksort(const options& run, cudaEvent_t between) : gpu_quicksort(run) {
    between_ = between;
  }

  void set_threads(unsigned threads) { threads_ = threads; }
  void set_bitonic_below(unsigned keys) { bitonic_below_ = keys; }

  int* sort(int* d, int* hat) {
    const many_keys keys{d, hat};
    std::vector<pending> work{{{0, size_, false}, first_pivot(d)}};
    std::vector<key_range> done;
    while (!work.empty() && work.size() + done.size() < most_) work = divide(keys, work, done);
    for (const pending& each : work) done.push_back(each.all);
    if (between_ != nullptr) require(cudaEventRecord(between_), "event");
    if (done.empty()) return d;
    require(cudaMemcpyAsync(ranges_.there(), done.data(), done.size() * sizeof done[0],
                            cudaMemcpyHostToDevice),
            "sequences");
    for_sizes(bitonic_sizes{}, [&]<int size>() {
      if (size != bitonic_below_) return;
      sort_all<sorter<size>>
          <<<static_cast<unsigned>(done.size()), threads_>>>(keys, ranges_.there());
    });
    return d;
  }

 private:
  using divider = global_divider<many_keys, how, global_fault::none, chosen, filled>;
  template <int size>
  using sorter = local_sorter<local_fault::none, size, many_keys, how>;
  using sequence = typename divider::sequence;
  struct pending {
    key_range all;
    int pivot;
  };

  int size_;
  std::size_t most_;
  unsigned threads_, bitonic_below_;
  cudaEvent_t between_ = nullptr;
  // Less than `most_` sequences become at most twice as many, in blocks of at least their size
  // over `most_`, and one more block for each.
  device_memory<sequence> sequences_{2 * most_};
  device_memory<block_part> blocks_{4 * most_};
  device_memory<key_range> ranges_{2 * most_};

  static int fetched(const int* key) {
    int value = 0;
    require(cudaMemcpy(&value, key, sizeof value, cudaMemcpyDeviceToHost), "a key");
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
    require(cudaMemcpyAsync(sequences_.there(), sequences.data(), bytes, cudaMemcpyHostToDevice),
            "sequences");
    require(cudaMemcpyAsync(blocks_.there(), blocks.data(), blocks.size() * sizeof blocks[0],
                            cudaMemcpyHostToDevice),
            "blocks");
    divide_all<divider><<<static_cast<unsigned>(blocks.size()), threads_>>>(
        keys, sequences_.there(), blocks_.there());
    require(cudaMemcpy(sequences.data(), sequences_.there(), bytes, cudaMemcpyDeviceToHost),
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

}  // namespace building
