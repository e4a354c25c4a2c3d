// Measures how long a GPU takes to build a hash table with a lock for each bucket: Grote (2020),
// section 5.2.2, with the locks of algorithms/locks/grote_locks.hpp, and without locks.
//
//   nvcc -std=c++20 -O3 -arch=native -DSIMT_MEASURED -Isim/include -Ialgorithms
//   hardware/table.cu -o table
//
// usage: table [options]
//   --lock tas|ttas|ticket|mcs|lock_free   (tas)
//   --buckets N    (16)
//   --pairs N      with random keys, spread evenly over the threads (26214400)
//   --blocks N     (30)
//   --threads N    of each block (256)
//   --trials N     launches that are measured, after one that is not (10)
//   --deadline S   seconds after which a launch counts as hanging (10)
//
// A pair becomes the first of its bucket's list. Each launch is checked: every pair must be in the
// list of its bucket, once.
//
// Prints one line of JSON on stdout:
//   {"device": "NVIDIA H200", "outcome": "finished", "message": "", "times": [0.01, ...]}
// times: seconds of all launches, the one that does not count first, on the GPU's clock. outcome:
// finished, check-failed, hang or device-error.
//
// Exit status: 0 with any outcome; 2 wrong use; 4 a CUDA error before the first launch; 77 no GPU.
#include <simt/simt.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "locks/grote_locks.hpp"

namespace {

constexpr int exit_usage = 2;
constexpr int exit_cuda = 4;
constexpr int exit_no_gpu = 77;

constexpr unsigned most_buckets = 1024;

struct options {
  std::string lock = "tas";
  unsigned buckets = 16;
  unsigned pairs = 26'214'400;
  unsigned blocks = 30;
  unsigned threads = 256;
  unsigned trials = 10;
  unsigned deadline = 10;
};

[[noreturn]] void wrong_use(const std::string& message) {
  std::fprintf(stderr, "%s; the top of hardware/table.cu has the usage\n", message.c_str());
  std::exit(exit_usage);
}

void require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(exit_cuda);
}

options parse(int argc, char** argv) {
  options run;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) wrong_use(option + " needs a value");
    const std::string text = argv[i + 1];
    if (option == "--lock") {
      run.lock = text;
      continue;
    }
    const auto take = [&](unsigned& target, unsigned long most) {
      char* end = nullptr;
      const unsigned long value = std::strtoul(text.c_str(), &end, 10);
      if (text.empty() || *end != 0 || text[0] == '-' || value < 1 || value > most)
        wrong_use(option + " takes a number from 1 to " + std::to_string(most) + ", not \"" + text +
                  "\"");
      target = static_cast<unsigned>(value);
    };
    if (option == "--buckets")
      take(run.buckets, most_buckets);
    else if (option == "--pairs")
      take(run.pairs, 1UL << 30);
    else if (option == "--blocks")
      take(run.blocks, simt::measured_blocks);
    else if (option == "--threads")
      take(run.threads, 1024);
    else if (option == "--trials")
      take(run.trials, 100'000);
    else if (option == "--deadline")
      take(run.deadline, 1'000'000);
    else
      wrong_use("unknown option " + option);
  }
  if (run.threads % 32 != 0) wrong_use("--threads takes whole warps");
  if (run.blocks * run.threads > static_cast<unsigned>(simt::measured_threads))
    wrong_use("--blocks and --threads are too many together");
  return run;
}

/// Node 0 is none.
struct node {
  unsigned key = 0;
  int value = 0;
  int next = 0;
};

template <class Lock>
struct locked_table {
  struct bucket {
    Lock lock;
    int first = 0;
  };
  typename Lock::shared shared;
  bucket buckets[most_buckets];

  SIMT_FN void insert(node* nodes, int number, unsigned count) {
    bucket& home = buckets[nodes[number].key % count];
    home.lock.lock(shared);
    nodes[number].next = home.first;
    home.first = number;
    home.lock.unlock(shared);
  }
  int first(unsigned bucket) const { return buckets[bucket].first; }
};

struct lock_free_table {
  grote::word<int> buckets[most_buckets]{};

  SIMT_FN void insert(node* nodes, int number, unsigned count) {
    auto& first = buckets[nodes[number].key % count];
    int before = first.load(simt::memory_order_relaxed);
    do {
      nodes[number].next = before;
    } while (!first.compare_exchange_strong(before, number, simt::memory_order_release,
                                            simt::memory_order_relaxed));
  }
  int first(unsigned bucket) const { return buckets[bucket].host_value(); }
};

template <class Table>
__global__ void build(Table* table, node* nodes, unsigned pairs, unsigned buckets) {
  const unsigned threads = simt::grid_size();
  for (unsigned i = simt::thread_rank(); i < pairs; i += threads)
    table->insert(nodes, static_cast<int>(i) + 1, buckets);
}

/// What the API's indices are computed from.
void set_shape(const options& run) {
  simt::detail::launch_parameters shape{};
  for (unsigned warp = 0; warp < run.threads / 32; ++warp) {
    shape.lanes[warp] = 32;
    shape.first_lane[warp] = warp * 32;
  }
  shape.block_threads = run.threads;
  shape.clients = simt::detail::client_kind::lane;
  require(cudaMemcpyToSymbol(simt::detail::launch, &shape, sizeof shape), "launch parameters");
}

/// Leaves without the runtime's clean-up, which would wait for a hanging kernel.
[[noreturn]] void report(const std::string& device, const char* outcome, const char* message,
                         const std::string& times) {
  std::printf("{\"device\": \"%s\", \"outcome\": \"%s\", \"message\": \"%s\", \"times\": [%s]}\n",
              device.c_str(), outcome, message, times.c_str());
  std::fflush(stdout);
  _exit(0);
}

/// cudaErrorNotReady: not done at the deadline.
cudaError_t wait(cudaEvent_t end, unsigned deadline) {
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    const cudaError_t status = cudaEventQuery(end);
    if (status != cudaErrorNotReady) return status;
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(deadline)) return status;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

template <class Table>
const char* what_is_wrong(const Table& table, const std::vector<node>& nodes, unsigned buckets) {
  std::vector<bool> there(nodes.size());
  std::size_t found = 0;
  for (unsigned bucket = 0; bucket < buckets; ++bucket) {
    for (int at = table.first(bucket); at != 0; at = nodes[static_cast<std::size_t>(at)].next) {
      const auto number = static_cast<std::size_t>(at);
      if (number >= nodes.size() || there[number]) return "a pair is there twice";
      if (nodes[number].key % buckets != bucket) return "a pair is in a wrong bucket";
      there[number] = true;
      ++found;
    }
  }
  return found + 1 == nodes.size() ? nullptr : "a pair is lost";
}

template <class Table>
[[noreturn]] void measure(const options& run, const std::string& device) {
  set_shape(run);
  std::mt19937 keys(1);
  std::vector<node> first(std::size_t{run.pairs} + 1);
  for (std::size_t i = 1; i < first.size(); ++i)
    first[i] = {static_cast<unsigned>(keys()), static_cast<int>(i), 0};
  std::vector<node> nodes(first.size());
  const auto empty = std::make_unique<Table>();
  const auto built = std::make_unique<Table>();
  Table* table = nullptr;
  node* there = nullptr;
  require(cudaMalloc(&table, sizeof(Table)), "device memory");
  require(cudaMalloc(&there, first.size() * sizeof(node)), "device memory");
  cudaEvent_t begin, end;
  require(cudaEventCreate(&begin), "event");
  require(cudaEventCreate(&end), "event");
  std::string times;
  for (unsigned trial = 0; trial <= run.trials; ++trial) {
    require(cudaMemcpy(table, empty.get(), sizeof(Table), cudaMemcpyHostToDevice), "table");
    require(cudaMemcpy(there, first.data(), first.size() * sizeof(node), cudaMemcpyHostToDevice),
            "pairs");
    require(cudaEventRecord(begin), "event");
    build<<<run.blocks, run.threads>>>(table, there, run.pairs, run.buckets);
    require(cudaGetLastError(), "launch");
    require(cudaEventRecord(end), "event");
    const cudaError_t status = wait(end, run.deadline);
    if (status == cudaErrorNotReady) report(device, "hang", "", "");
    if (status != cudaSuccess) report(device, "device-error", cudaGetErrorString(status), "");
    require(cudaMemcpy(built.get(), table, sizeof(Table), cudaMemcpyDeviceToHost), "table");
    require(cudaMemcpy(nodes.data(), there, nodes.size() * sizeof(node), cudaMemcpyDeviceToHost),
            "pairs");
    if (const char* message = what_is_wrong(*built, nodes, run.buckets))
      report(device, "check-failed", message, "");
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin, end), "event");
    char text[32];
    std::snprintf(text, sizeof text, "%s%.9f", times.empty() ? "" : ", ", milliseconds / 1e3);
    times += text;
  }
  report(device, "finished", "", times);
}

}  // namespace

namespace simt::detail {
// Of the runner, for subjects; there are none here.
void register_gpu_entry(const gpu_entry*) {}
void* allocate_array_storage(void*, const char*, std::size_t, std::size_t, element_kind,
                             std::size_t*) {
  return nullptr;
}
}  // namespace simt::detail

int main(int argc, char** argv) {
  const options run = parse(argc, argv);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "no GPU here\n");
    return exit_no_gpu;
  }
  cudaDeviceProp properties;
  require(cudaGetDeviceProperties(&properties, 0), "device properties");
  if (run.lock == "tas") measure<locked_table<grote::tas_lock>>(run, properties.name);
  if (run.lock == "ttas") measure<locked_table<grote::ttas_lock>>(run, properties.name);
  if (run.lock == "ticket") measure<locked_table<grote::ticket_lock>>(run, properties.name);
  if (run.lock == "mcs") measure<locked_table<grote::mcs_lock>>(run, properties.name);
  if (run.lock == "lock_free") measure<lock_free_table>(run, properties.name);
  wrong_use("--lock is tas, ttas, ticket, mcs or lock_free, not \"" + run.lock + "\"");
}
