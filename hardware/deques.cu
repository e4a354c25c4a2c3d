// Measures deques for stealing: Cederman's thesis (2011), section 3.4.4, by the code of
// algorithms/deques. Each client has a deque, puts tasks into it and takes them out again; some
// take tasks of others.
//
//   nvcc -std=c++20 -O3 -arch=native -DSIMT_MEASURED -Isim/include -Ialgorithms
//   hardware/deques.cu -o deques
//
// usage: deques [options]
//   --subject arora                     (arora) of Arora, Blumofe and Plaxton, seq_cst throughout
//             |arora_weak               with the weakest orders with which it is right
//             |cederman_tsigas_fenced   the published one for GPUs, with fences
//             |locked                   a ring under a lock
//   --workload own|stolen|shared  (own) own: nobody steals; stolen: all tasks are put into the
//                                 first deque, and all others steal; shared: every other client
//                                 has tasks, and who has none steals, round robin
//   --operations N   tasks for each client on average, a multiple of 64 (1024)
//   --blocks N       each with one client (16)
//   --threads N      of each block, of which one works (32)
//   --trials N       launches that are measured, after one that is not (10)
//   --deadline S     seconds after which a launch counts as hanging (10)
//
// An owner puts 64 tasks into its deque, then takes tasks until it is empty, and so on. A task is
// only counted. Clients leave when all tasks are done. Each launch is checked: every task is done
// once. `counted`: the part of the tasks that was stolen. building.cuh says what is printed.
#include <memory>
#include <string>
#include <vector>

#include "building.cuh"

#include "deques/arora.hpp"
#include "deques/arora_weak.hpp"
#include "deques/cederman_tsigas_fenced.hpp"
#include "locks/grote_locks.hpp"

namespace {

constexpr unsigned portion = 64;  // tasks that an owner puts into its deque together
constexpr unsigned most_clients = 256;
constexpr unsigned most_operations = 1U << 14;

/// A ring under a test-and-test-and-set lock.
struct locked_deque {
  static constexpr int capacity = 128;

  grote::ttas_lock lock;
  grote::ttas_lock::shared shared;
  int tasks[capacity]{};
  int first = 0, count = 0;

  SIMT_FN void push_back(int task) {
    lock.lock(shared);
    tasks[(first + count++) % capacity] = task;
    lock.unlock(shared);
  }
  SIMT_FN simt::maybe<int> pop_back() {
    simt::maybe<int> got;
    lock.lock(shared);
    if (count > 0) got = tasks[(first + --count) % capacity];
    lock.unlock(shared);
    return got;
  }
  SIMT_FN simt::maybe<int> pop_front() {
    simt::maybe<int> got;
    lock.lock(shared);
    if (count > 0) {
      got = tasks[first];
      first = (first + 1) % capacity;
      --count;
    }
    lock.unlock(shared);
    return got;
  }
};

/// The deques of all clients, each on lines of its own.
template <class Deque>
struct all_deques {
  struct alignas(256) place {
    Deque deque;
  };

  place of[most_clients];
  alignas(256) grote::word<unsigned> done{0};
};

/// Tasks that a client makes.
SIMT_FN unsigned portions_of(unsigned client, unsigned clients, unsigned each, int sharing) {
  if (sharing == 0) return each / portion;
  if (sharing == 1) return client == 0 ? clients * (each / portion) : 0;
  // Every other client has what it and its neighbour are to do.
  if (client % 2 != 0) return 0;
  return (client + 1 < clients ? 2 : 1) * (each / portion);
}

/// One thread of each block is a client. Each task is marked by who takes it, plus 1.
template <class Deque>
__global__ void work(all_deques<Deque>* all, unsigned each, int sharing, int* takers, int* twice,
                     unsigned* stolen) {
  if (threadIdx.x != 0) return;
  const unsigned me = blockIdx.x, clients = gridDim.x, tasks = clients * each;
  const auto carry_out = [&](int task) {
    if (takers[task] != 0) *twice = 1;
    takers[task] = static_cast<int>(me) + 1;
  };
  // The tasks of clients before this one have lower numbers.
  unsigned next = 0;
  for (unsigned other = 0; other < me; ++other)
    next += portion * portions_of(other, clients, each, sharing);
  Deque& mine = all->of[me].deque;
  const unsigned portions = portions_of(me, clients, each, sharing);
  for (unsigned i = 0; i < portions; ++i) {
    for (unsigned j = 0; j < portion; ++j) mine.push_back(static_cast<int>(next++) + 1);
    unsigned finished = 0;
    for (auto task = mine.pop_back(); task; task = mine.pop_back(), ++finished)
      carry_out(*task - 1);
    all->done.fetch_add(finished, simt::memory_order_relaxed);
  }
  unsigned mine_stolen = 0;
  while (sharing != 0 && all->done.load(simt::memory_order_relaxed) != tasks) {
    for (unsigned i = 1; i < clients; ++i) {
      const auto task = all->of[(me + i) % clients].deque.pop_front();
      if (!task) continue;
      carry_out(*task - 1);
      ++mine_stolen;
      all->done.fetch_add(1, simt::memory_order_relaxed);
      break;
    }
  }
  stolen[me] = mine_stolen;
}

template <class Deque>
class on_gpu {
 public:
  explicit on_gpu(const building::options& run)
      : run_(run),
        sharing_(run.workload == "own"      ? 0
                 : run.workload == "stolen" ? 1
                                            : 2) {
    building::options shape = run;
    shape.threads = 1;  // a thread's number is its client's
    building::set_shape(shape);
    fresh_.send(std::make_unique<all_deques<Deque>>().get());
  }

  void clear() {
    deques_.copy(fresh_);
    building::require(cudaMemset(takers_.there(), 0, tasks() * sizeof(int)), "tasks");
    building::require(cudaMemset(twice_.there(), 0, sizeof(int)), "tasks");
  }
  void build() {
    work<<<run_.blocks, run_.threads>>>(deques_.there(), run_.amount, sharing_, takers_.there(),
                                        twice_.there(), stolen_.there());
  }
  [[nodiscard]] const char* what_is_wrong() {
    std::vector<int> takers(tasks());
    std::vector<unsigned> stolen(run_.blocks);
    int twice = 0;
    takers_.fetch(takers.data());
    twice_.fetch(&twice);
    stolen_.fetch(stolen.data());
    if (launches_++ > 0) {  // the first does not count
      for (const unsigned each : stolen) all_stolen_ += each;
    }
    if (twice != 0) return "a task is done twice";
    for (const int taker : takers) {
      if (taker == 0) return "a task is not done";
    }
    return nullptr;
  }
  [[nodiscard]] double counted() const {
    return launches_ < 2 ? 0 : all_stolen_ / (launches_ - 1) / static_cast<double>(tasks());
  }

 private:
  const building::options& run_;
  int sharing_;
  int launches_ = 0;
  double all_stolen_ = 0;
  building::device_memory<all_deques<Deque>> fresh_{1}, deques_{1};
  building::device_memory<int> takers_{tasks()}, twice_{1};
  building::device_memory<unsigned> stolen_{run_.blocks};

  [[nodiscard]] std::size_t tasks() const { return std::size_t{run_.blocks} * run_.amount; }
};

}  // namespace

int main(int argc, char** argv) {
  const building::room limits{"hardware/deques.cu", "",          0, "--operations",
                              most_operations,      most_clients};
  building::options defaults;
  defaults.subject = "arora";
  defaults.workload = "own";
  defaults.places = 1;
  defaults.amount = 1024;
  defaults.blocks = 16;
  defaults.threads = 32;
  const building::options run = building::parse(argc, argv, limits, defaults);
  if (run.workload != "own" && run.workload != "stolen" && run.workload != "shared")
    building::wrong_use(limits, "there is no workload \"" + run.workload + "\"");
  if (run.amount % portion != 0) building::wrong_use(limits, "--operations takes a multiple of 64");
  const std::string device = building::find_device();
  using building::measure;
  if (run.subject == "arora") measure<on_gpu<arora>>(run, device);
  if (run.subject == "arora_weak") measure<on_gpu<arora_weak>>(run, device);
  if (run.subject == "cederman_tsigas_fenced") measure<on_gpu<cederman_tsigas_fenced>>(run, device);
  if (run.subject == "locked") measure<on_gpu<locked_deque>>(run, device);
  building::wrong_use(limits, "there is no subject \"" + run.subject + "\"");
}
