// Measures how long queues take for many operations: the two of Pourmeidani's thesis (2018) and
// others of algorithms/queues, on the GPU and on the CPU's cores.
//
//   nvcc -std=c++20 -O3 -arch=native -DSIMT_MEASURED -Isim/include -Ialgorithms
//   hardware/queues.cu hardware/queues_cpu.cpp -o queues
//
// usage: queues [options]
//   --subject pourmeidani_blocking|pourmeidani_nonblocking|michael_scott|michael_scott_hazard
//             |tsigas_zhang|vyukov
//             |locked_ring                      (pourmeidani_blocking)
//             |warp_tickets                     one atomic operation for the lanes of a warp
//             |cpu_michael_scott|cpu_vyukov     the same code on the CPU, by --threads threads
//             |cpu_mutex                        a std::queue and a std::mutex
//   --workload 80_20|50_50   (80_20) enqueues and dequeues of 100, mixed at random
//   --operations N   one for each thread (10240)
//   --blocks N       (80)
//   --threads N      of each block (128)
//   --trials N       launches that are measured, after one that is not (10)
//   --deadline S     seconds after which a launch counts as hanging (10)
//
// A queue is empty at first, and has room for all values. Each launch is checked: each value that
// is enqueued, and no other, must be dequeued once or left in the queue. building.cuh says what is
// printed.
#include "building.cuh"
#include "measured_queues.hpp"
#include "queues/warp_tickets.hpp"
#include "queues_cpu.hpp"
#include "whole_queues.cuh"

namespace {

/// The operations to carry out, and whether their results are possible. Values are numbers from 1.
class given_operations {
 public:
  explicit given_operations(const building::options& run) {
    std::mt19937 random(1);
    all_ = operations_of(mix_named(run.workload), run.amount, random);
    for (std::size_t i = 0; i < all_.size(); ++i) all_[i].argument = static_cast<int>(i) + 1;
  }

  [[nodiscard]] const std::vector<operation>& all() const { return all_; }

  [[nodiscard]] const char* what_is_wrong(const std::vector<int>& answers,
                                          const std::vector<int>& left) const {
    std::vector<int> copies(all_.size() + 1);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].kind == measured::dequeue) {
        if (const char* message = take(copies, answers[i])) return message;
      } else if (answers[i] != measured::done) {
        return "an enqueue found no room";
      }
    }
    for (const int value : left) {
      if (const char* message = take(copies, value)) return message;
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const bool is_enqueued = all_[i].kind == measured::enqueue;
      if (copies[i + 1] != (is_enqueued ? 1 : 0))
        return is_enqueued ? "a value is lost" : "a value is dequeued that nobody enqueued";
    }
    return nullptr;
  }

 private:
  std::vector<operation> all_;

  static const char* take(std::vector<int>& copies, int value) {
    if (value == measured::nothing) return nullptr;
    if (value < 0 || static_cast<std::size_t>(value) >= copies.size())
      return "a value is dequeued that nobody enqueued";
    return ++copies[static_cast<std::size_t>(value)] > 1 ? "a value is dequeued twice" : nullptr;
  }
};

template <class Queue>
using on_gpu = queue_on_gpu<Queue, given_operations>;
using on_cpu = queue_on_cpu<given_operations, measured::make_cpu_queue>;

}  // namespace

int main(int argc, char** argv) {
  const building::room limits{"hardware/queues.cu",
                              "",
                              0,
                              "--operations",
                              static_cast<unsigned>(measured::most_operations),
                              1U << 12};
  building::options defaults;
  defaults.subject = "pourmeidani_blocking";
  defaults.workload = "80_20";
  defaults.places = 1;
  defaults.amount = 10'240;
  defaults.blocks = 80;
  defaults.threads = 128;
  const building::options run = building::parse(argc, argv, limits, defaults);
  const mix wanted = mix_named(run.workload);
  if (wanted.percent[0] == 0 || wanted.percent[2] != 0)
    building::wrong_use(limits, "there is no mix \"" + run.workload + "\"");
  const std::string device = building::find_device();
  using building::measure;
  if (measured::make_cpu_queue(run.subject) != nullptr)
    measure<on_cpu, building::cpu_clock>(run, device);
  if (run.blocks * run.threads < run.amount)
    building::wrong_use(limits, "--operations: more than --blocks and --threads have threads");
  if (run.subject == "pourmeidani_blocking") measure<on_gpu<pourmeidani_blocking>>(run, device);
  if (run.subject == "pourmeidani_nonblocking")
    measure<on_gpu<pourmeidani_nonblocking_front_once>>(run, device);
  if (run.subject == "michael_scott") measure<on_gpu<michael_scott>>(run, device);
  if (run.subject == "michael_scott_hazard") measure<on_gpu<michael_scott_hazard>>(run, device);
  if (run.subject == "tsigas_zhang") measure<on_gpu<measured::tsigas_zhang>>(run, device);
  if (run.subject == "vyukov") measure<on_gpu<vyukov>>(run, device);
  if (run.subject == "warp_tickets") measure<on_gpu<warp_tickets>>(run, device);
  if (run.subject == "locked_ring") measure<on_gpu<locked_ring>>(run, device);
  building::wrong_use(limits, "there is no queue \"" + run.subject + "\"");
}
