// Measures how long a priority queue takes for many operations: Misra and Chaudhuri (ICPADS 2012),
// figure 7, on the GPU and on the CPU's cores.
//
//   nvcc -std=c++20 -O3 -arch=native -DSIMT_MEASURED -Isim/include -Ialgorithms
//   hardware/priority_queues.cu hardware/priority_queues_cpu.cpp -o priority_queues
//
// usage: priority_queues [options]
//   --subject skip_queue                 (skip_queue) theirs, on a skip list with 32 levels
//             |cpu_skip_queue|cpu_mutex  the same code, and a std::set with a mutex, by --threads
//                                        threads of the CPU
//   --workload 50_50|80_20               (80_20) insertions and deletions of the least key of 100
//             |50_50_by_kind|80_20_by_kind   all insertions first
//   --keys N         different ones, from 1 on (1000)
//   --operations N   one for each thread (102400)
//   --blocks N       (800)
//   --threads N      of each block (128)
//   --trials N       launches that are measured, after one that is not (10)
//   --deadline S     seconds after which a launch counts as hanging (10)
//
// A queue is empty at first, and keys are random. Each launch is checked: of each key, as many
// insertions as deletions succeed, or one more, and then it is there at the end. building.cuh says
// what is printed.
#include "building.cuh"
#include "measured_priority_queues.hpp"
#include "priority_queues_cpu.hpp"
#include "whole_queues.cuh"

namespace {

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

  /// `left`: the keys at the end, and zeros.
  [[nodiscard]] const char* what_is_wrong(const std::vector<int>& answers,
                                          const std::vector<int>& left) const {
    std::vector<int> copies(keys_ + 1);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].kind == measured::insert_key) {
        copies[static_cast<std::size_t>(all_[i].argument)] += answers[i];
      } else if (answers[i] != 0) {
        if (!is_key(answers[i])) return "a key is deleted that there cannot be";
        --copies[static_cast<std::size_t>(answers[i])];
      }
    }
    for (const int key : left) {
      if (key == 0) continue;
      if (!is_key(key)) return "a key is left that there cannot be";
      --copies[static_cast<std::size_t>(key)];
    }
    for (const int count : copies) {
      if (count != 0)
        return "insertions and deletions that succeed do not give what is there in the end";
    }
    return nullptr;
  }

 private:
  std::size_t keys_;
  std::vector<operation> all_;

  [[nodiscard]] bool is_key(int key) const {
    return key > 0 && static_cast<std::size_t>(key) <= keys_;
  }
};

using on_gpu = queue_on_gpu<measured::skip_queue, given_operations>;
using on_cpu = queue_on_cpu<given_operations, measured::make_cpu_priority_queue>;

}  // namespace

int main(int argc, char** argv) {
  const building::room limits{"hardware/priority_queues.cu", "--keys", 1U << 20, "--operations",
                              static_cast<unsigned>(measured::most_operations)};
  building::options defaults;
  defaults.subject = "skip_queue";
  defaults.workload = "80_20";
  defaults.places = 1'000;
  defaults.amount = 102'400;
  defaults.blocks = 800;
  defaults.threads = 128;
  const building::options run = building::parse(argc, argv, limits, defaults);
  const mix wanted = mix_named(run.workload);
  if (wanted.percent[0] == 0 || wanted.percent[2] != 0)
    building::wrong_use(limits, "there is no mix \"" + run.workload + "\"");
  const std::string device = building::find_device();
  using building::measure;
  if (measured::make_cpu_priority_queue(run.subject) != nullptr)
    measure<on_cpu, building::cpu_clock>(run, device);
  if (run.blocks * run.threads < run.amount)
    building::wrong_use(limits, "--operations: more than --blocks and --threads have threads");
  if (run.subject == "skip_queue") measure<on_gpu>(run, device);
  building::wrong_use(limits, "there is no queue \"" + run.subject + "\"");
}
