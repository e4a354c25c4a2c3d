// Measures how long sets take for many operations, on the GPU and on the CPU's cores, by the code
// of algorithms/sets. The sets are the list, the hash table and the skip list of Misra and
// Chaudhuri (ICPADS 2012), and the skip list of Sundell and Tsigas (SAC 2004). For comparison, a
// hash table that is made for GPUs, and a batch that sorts operations by their keys and needs no
// set.
//
//   nvcc -std=c++20 -O3 -arch=native -DSIMT_MEASURED -Isim/include -Ialgorithms
//   hardware/sets.cu hardware/sets_cpu.cpp -o sets
//
// usage: sets [options]
//   --subject list|hash_list|skip_list              (list)
//             |michael_list_hazard           a list whose nodes are used again: hazard pointers
//             |sundell_skip_list             another skip list, whose nodes are used once
//             |sundell_skip_list_counted     with reference counts, though nodes are used once
//             |warp_table        a hash table that each warp searches together
//             |sorted_batch      radix sort by keys, then each key's operations by one thread
//             |cpu_list|cpu_hash_list|cpu_skip_list|cpu_sundell_skip_list
//                                the same code on the CPU, by --threads threads
//   --workload 20_20_60|40_40_20                    (20_20_60) inserts, erases and searches of 100
//             |20_20_60_by_kind|40_40_20_by_kind    all inserts first, then all erases
//   --keys N         different ones, from 1 on (1000)
//   --operations N   one for each thread (102400)
//   --blocks N       (800)
//   --threads N      of each block (128)
//   --trials N       launches that are measured, after one that is not (10)
//   --deadline S     seconds after which a launch counts as hanging (10)
//
// A set is empty at first, and keys are random. Each launch is checked. For each key, as many
// inserts as erases must succeed, or one more if the key is in the set at the end. No search may
// find a key that is never inserted. building.cuh says what is printed.
#include <memory>

#include <cub/device/device_radix_sort.cuh>

#include "building.cuh"
#include "measured_sets.hpp"
#include "operations.cuh"
#include "sets/warp_table.hpp"
#include "sets_cpu.hpp"

namespace {

using measured::most_operations;

/// The operations to carry out, and whether their results are possible.
class given_operations {
 public:
  explicit given_operations(const building::options& run) : keys_(run.places) {
    std::mt19937 random(1);
    all_ = operations_of(mix_named(run.workload), run.amount, random);
    std::uniform_int_distribution<int> key(1, static_cast<int>(run.places));
    for (operation& each : all_) each.argument = key(random);
  }

  [[nodiscard]] const std::vector<operation>& all() const { return all_; }
  [[nodiscard]] std::size_t keys() const { return keys_; }

  /// `has`: for each key, whether it is in the set at the end.
  [[nodiscard]] const char* what_is_wrong(const std::vector<unsigned char>& answers,
                                          const std::vector<unsigned char>& has) const {
    std::vector<int> copies(keys_ + 1);
    std::vector<bool> is_inserted(keys_ + 1);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const auto key = static_cast<std::size_t>(all_[i].argument);
      if (all_[i].kind == measured::insert) {
        copies[key] += answers[i];
        is_inserted[key] = true;
      }
      if (all_[i].kind == measured::erase) copies[key] -= answers[i];
    }
    for (std::size_t key = 1; key <= keys_; ++key) {
      if (copies[key] != has[key])
        return "inserts and erases that succeed do not give what is there in the end";
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (answers[i] && !is_inserted[static_cast<std::size_t>(all_[i].argument)])
        return "a key is found that is never inserted";
    }
    return nullptr;
  }
  /// Checks the answers that lie on the GPU.
  [[nodiscard]] const char* what_is_wrong(const building::device_memory<unsigned char>& answers,
                                          const building::device_memory<unsigned char>& has) const {
    std::vector<unsigned char> own_answers(all_.size()), own_has(keys_ + 1);
    answers.fetch(own_answers.data());
    has.fetch(own_has.data());
    return what_is_wrong(own_answers, own_has);
  }

 private:
  std::size_t keys_;
  std::vector<operation> all_;
};

template <class Set>
__global__ void look_for_all(Set* set, unsigned keys, unsigned char* has) {
  for (unsigned key = 1 + simt::thread_rank(); key <= keys; key += simt::grid_size())
    has[key] = set->contains(static_cast<int>(key));
}

/// A set on the GPU.
template <class Set>
class on_gpu {
 public:
  explicit on_gpu(const building::options& run) : run_(run), given_(run) {
    operations_.send(given_.all().data());
    fresh_.send(std::make_unique<Set>().get());
    begin<<<1, 32>>>(fresh_.there());
  }

  void clear() { set_.copy(fresh_); }
  void build() {
    carry_out_all<<<run_.blocks, run_.threads>>>(set_.there(), operations_.there(), run_.amount,
                                                 answers_.there());
  }
  [[nodiscard]] const char* what_is_wrong() {
    look_for_all<<<run_.blocks, run_.threads>>>(set_.there(), run_.places, has_.there());
    return given_.what_is_wrong(answers_, has_);
  }

 private:
  const building::options& run_;
  given_operations given_;
  building::device_memory<Set> fresh_{1}, set_{1};
  building::device_memory<operation> operations_{run_.amount};
  building::device_memory<unsigned char> answers_{run_.amount};
  building::device_memory<unsigned char> has_{given_.keys() + 1};
};

__global__ void number_all(const operation* all, unsigned count, int* keys, unsigned* numbers) {
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  if (me >= count) return;
  keys[me] = all[me].argument;
  numbers[me] = me;
}
/// The thread at a key's first operation carries out all operations of that key.
__global__ void carry_out_runs(const operation* all, unsigned count, const int* keys,
                               const unsigned* numbers, unsigned char* answers,
                               unsigned char* has) {
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  if (me >= count || (me > 0 && keys[me - 1] == keys[me])) return;
  bool is_there = false;
  for (unsigned i = me; i < count && keys[i] == keys[me]; ++i) {
    const int kind = all[numbers[i]].kind;
    answers[numbers[i]] = kind == measured::insert ? !is_there : is_there;
    if (kind != measured::contains) is_there = kind == measured::insert;
  }
  has[keys[me]] = is_there;
}

/// The operations as a batch, sorted by keys. Operations of one key keep their order.
class sorted_batch {
 public:
  explicit sorted_batch(const building::options& run) : run_(run), given_(run) {
    operations_.send(given_.all().data());
    building::require(sort(nullptr), "CUB");
    building::require(cudaMalloc(&scratch_, bytes_), "device memory");
  }

  void clear() {
    const std::vector<unsigned char> none(given_.keys() + 1);
    has_.send(none.data());
  }
  void build() {
    number_all<<<run_.blocks, run_.threads>>>(operations_.there(), run_.amount, keys_.there(),
                                              numbers_.there());
    building::require(sort(scratch_), "CUB");
    carry_out_runs<<<run_.blocks, run_.threads>>>(operations_.there(), run_.amount,
                                                  sorted_keys_.there(), sorted_numbers_.there(),
                                                  answers_.there(), has_.there());
  }
  [[nodiscard]] const char* what_is_wrong() const { return given_.what_is_wrong(answers_, has_); }

 private:
  const building::options& run_;
  given_operations given_;
  building::device_memory<operation> operations_{run_.amount};
  building::device_memory<int> keys_{run_.amount}, sorted_keys_{run_.amount};
  building::device_memory<unsigned> numbers_{run_.amount}, sorted_numbers_{run_.amount};
  building::device_memory<unsigned char> answers_{run_.amount};
  building::device_memory<unsigned char> has_{given_.keys() + 1};
  void* scratch_ = nullptr;
  std::size_t bytes_ = 0;

  cudaError_t sort(void* scratch) {
    int bits = 1;
    while (given_.keys() >> bits != 0) ++bits;
    return cub::DeviceRadixSort::SortPairs(scratch, bytes_, keys_.there(), sorted_keys_.there(),
                                           numbers_.there(), sorted_numbers_.there(),
                                           static_cast<int>(run_.amount), 0, bits);
  }
};

class on_cpu {
 public:
  explicit on_cpu(const building::options& run)
      : threads_(run.threads),
        given_(run),
        set_(measured::make_cpu_set(run.subject)),
        answers_(run.amount) {}

  void clear() { set_->clear(); }
  void build() { set_->carry_out(given_.all(), answers_, threads_); }
  [[nodiscard]] const char* what_is_wrong() const {
    std::vector<unsigned char> has(given_.keys() + 1);
    for (std::size_t key = 1; key < has.size(); ++key) has[key] = set_->has(static_cast<int>(key));
    return given_.what_is_wrong(answers_, has);
  }

 private:
  unsigned threads_;
  given_operations given_;
  std::unique_ptr<measured::cpu_set> set_;
  std::vector<unsigned char> answers_;
};

}  // namespace

int main(int argc, char** argv) {
  const building::room limits{"hardware/sets.cu", "--keys", 1U << 20, "--operations",
                              static_cast<unsigned>(most_operations)};
  building::options defaults;
  defaults.subject = "list";
  defaults.workload = "20_20_60";
  defaults.places = 1'000;
  defaults.amount = 102'400;
  defaults.blocks = 800;
  defaults.threads = 128;
  const building::options run = building::parse(argc, argv, limits, defaults);
  if (mix_named(run.workload).percent[2] == 0)
    building::wrong_use(limits, "there is no mix \"" + run.workload + "\"");
  const std::string device = building::find_device();
  using building::measure;
  if (measured::make_cpu_set(run.subject) != nullptr)
    measure<on_cpu, building::cpu_clock>(run, device);
  if (run.blocks * run.threads < run.amount)
    building::wrong_use(limits, "--operations: more than --blocks and --threads have threads");
  if (run.subject == "list") measure<on_gpu<measured::list>>(run, device);
  if (run.subject == "michael_list_hazard") measure<on_gpu<michael_list_hazard>>(run, device);
  if (run.subject == "hash_list") measure<on_gpu<measured::hash_list>>(run, device);
  if (run.subject == "skip_list") measure<on_gpu<measured::skip_list>>(run, device);
  if (run.subject == "sundell_skip_list") measure<on_gpu<measured::sundell_skip_list>>(run, device);
  if (run.subject == "sundell_skip_list_counted")
    measure<on_gpu<measured::sundell_skip_list_counted>>(run, device);
  if (run.subject == "warp_table") measure<on_gpu<warp_table>>(run, device);
  if (run.subject == "sorted_batch") measure<sorted_batch>(run, device);
  building::wrong_use(limits, "there is no set \"" + run.subject + "\"");
}
