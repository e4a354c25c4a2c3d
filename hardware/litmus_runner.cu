// Runs one litmus test many times on a GPU, and counts its outcomes. Compiled with the tests, which
// litmus/gpu/source.cpp writes:
//
//   nvcc -std=c++20 -arch=sm_90 -Ihardware -include tests.cuh hardware/litmus_runner.cu -o runner
//
// usage: runner --list
//        runner [options]
//   --test N            its number (0)
//   --instances N       to carry out, at least (4000000)
//   --seed N            of everything that is left to chance (1)
//   --time SECONDS      after which no launch is begun (10)
//   --deadline SECONDS  after which a launch counts as hanging (5)
//   --bound N           rounds of loops before an instance counts as incomplete (262144)
//
// Prints one line of JSON on stdout:
//   {"device": "NVIDIA H200", "outcome": "finished", "message": "", "launches": 250,
//    "instances": 4000000, "incomplete": 0, "seconds": 0.7,
//    "outcomes": [{"values": [0, 1], "count": 12}, ...]}
// with values of the observed registers and locations, in the order of the test. outcome:
//   finished      all launches did
//   hang          one did not, at the deadline; the counts are those of the launches before
//   device-error  CUDA reported an error; message is CUDA's
// --list prints the names of the tests, a JSON array, and needs no GPU.
//
// Exit status: 0 with any outcome; 2 wrong use; 4 a CUDA error before the first launch, or GPUs
// that cannot do what the test needs; 77 no GPU.
//
// A kernel that hangs ends with this process, which leaves by _exit without waiting for it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "litmus_kernels.cuh"

namespace litmus_gpu {
namespace {

constexpr int exit_usage = 2;
constexpr int exit_cuda = 4;
constexpr int exit_no_gpu = 77;

constexpr unsigned most_instances = 1u << 15;              // of a launch, about
constexpr unsigned blocks_of_multiprocessor = 4;           // at most
constexpr std::size_t most_memory = std::size_t{1} << 27;  // bytes of locations
constexpr unsigned scratch_words = 1u << 20;
constexpr unsigned named_barriers = 15;

// Primes above all numbers of instances, blocks, and threads of a block. So they are coprime with
// these numbers.
constexpr unsigned large_primes[] = {1048583, 1048589, 1048601, 1048609,
                                     1048613, 1048627, 1048633, 1048661};
constexpr unsigned small_primes[] = {1031, 1033, 1039, 1049, 1051, 1061, 1063, 1069};

struct options {
  unsigned long test = 0;
  unsigned long instances = 4'000'000;
  unsigned long seed = 1;
  unsigned long bound = 1 << 18;
  double time = 10;
  double deadline = 5;
};

[[noreturn]] void fail(const std::string& message, int status) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(status);
}

[[noreturn]] void wrong_use(const std::string& message) {
  fail(message + "; the top of hardware/litmus_runner.cu has the usage", exit_usage);
}

void require(cudaError_t status, const char* what) {
  if (status != cudaSuccess) fail(std::string(what) + ": " + cudaGetErrorString(status), exit_cuda);
}

options parse(int argc, char** argv) {
  options run;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) wrong_use(option + " needs a value");
    const char* text = argv[i + 1];
    char* end = nullptr;
    const unsigned long number = std::strtoul(text, &end, 10);
    const bool is_number = *text != 0 && *text != '-' && *end == 0;
    const double seconds = std::strtod(text, &end);
    const bool is_time = *text != 0 && *end == 0 && seconds > 0;
    const auto take = [&](unsigned long& target, unsigned long least) {
      if (!is_number || number < least)
        wrong_use(option + " takes a number from " + std::to_string(least) + ", not \"" + text +
                  "\"");
      target = number;
    };
    if (option == "--test")
      take(run.test, 0);
    else if (option == "--instances")
      take(run.instances, 1);
    else if (option == "--seed")
      take(run.seed, 0);
    else if (option == "--bound")
      take(run.bound, 1);
    else if (option != "--time" && option != "--deadline")
      wrong_use("unknown option " + option);
    else if (!is_time)
      wrong_use(option + " takes a number of seconds above 0, not \"" + text + "\"");
    else
      (option == "--time" ? run.time : run.deadline) = seconds;
  }
  if (run.test >= tests.size()) wrong_use("there is no test of that number (--list shows them)");
  run.bound = std::min(run.bound, 0xfffffffeUL);
  return run;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + "\"";
}

/// Counts how often each outcome was seen. There are few outcomes, of very different frequencies.
class counts {
 public:
  explicit counts(std::size_t columns) : columns_(columns) {}

  void add(const word* row) {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (!std::equal(row, row + columns_, seen_[i].values.begin())) continue;
      ++seen_[i].count;
      if (i > 0 && seen_[i].count > seen_[i - 1].count) std::swap(seen_[i], seen_[i - 1]);
      return;
    }
    seen_.push_back({{row, row + columns_}, 1});
  }

  [[nodiscard]] std::string json() const {
    std::string text;
    for (const entry& each : seen_) {
      text += (text.empty() ? "" : ", ") + std::string("{\"values\": [");
      for (std::size_t c = 0; c < columns_; ++c)
        text += (c == 0 ? "" : ", ") + std::to_string(each.values[c]);
      text += "], \"count\": " + std::to_string(each.count) + "}";
    }
    return "[" + text + "]";
  }

 private:
  struct entry {
    std::vector<word> values;
    unsigned long long count;
  };
  std::size_t columns_;
  std::vector<entry> seen_;
};

template <class T>
T* allocate(std::size_t count) {
  void* made = nullptr;
  require(cudaMalloc(&made, std::max<std::size_t>(count, 1) * sizeof(T)), "device memory");
  return static_cast<T*>(made);
}

/// One GPU, and its part of each launch.
struct device {
  int number = 0;
  unsigned blocks = 0;  // that are resident together
  unsigned* finished = nullptr;
  unsigned* scratch = nullptr;
  cudaEvent_t end = nullptr;
};

class runner {
 public:
  explicit runner(const options& run)
      : run_(run), test_(tests[run.test]), seen_(test_.observed.size()) {}

  [[noreturn]] void all_launches() {
    find_devices();
    make_plan();
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    const char* outcome = "finished";
    std::string message;
    do {
      choose();
      const cudaError_t status = launch_once();
      if (status == cudaErrorNotReady) {
        outcome = "hang";
      } else if (status != cudaSuccess) {
        outcome = "device-error";
        message = cudaGetErrorString(status);
      } else {
        count();
      }
    } while (std::strcmp(outcome, "finished") == 0 && done_ < run_.instances &&
             seconds() < run_.time);
    std::printf(
        "{\"device\": %s, \"outcome\": \"%s\", \"message\": %s, \"launches\": %lu, "
        "\"instances\": %lu, \"incomplete\": %lu, \"seconds\": %.3f, \"outcomes\": %s}\n",
        quoted(name_).c_str(), outcome, quoted(message).c_str(), launches_, done_, incomplete_,
        seconds(), seen_.json().c_str());
    std::fflush(stdout);
    _exit(0);
  }

 private:
  const options& run_;
  const test& test_;
  std::string name_;
  std::vector<device> devices_;
  std::vector<launch> parts_;  // by GPU
  launch common_{};
  unsigned block_size_ = 0;
  unsigned most_groups_ = 0;
  word* initial_ = nullptr;
  unsigned* observed_ = nullptr;
  word* rows_ = nullptr;
  word* host_rows_ = nullptr;
  unsigned* host_late_ = nullptr;
  counts seen_;
  unsigned long launches_ = 0, done_ = 0, incomplete_ = 0;

  [[nodiscard]] unsigned gpus() const { return static_cast<unsigned>(test_.clusters.size()); }

  void use(const device& d) { require(cudaSetDevice(d.number), "choosing a GPU"); }

  void find_devices() {
    int there = 0;
    const cudaError_t status = cudaGetDeviceCount(&there);
    if (status != cudaSuccess || there == 0) {
      fail(std::string("no GPU: ") +
               (status == cudaSuccess ? "CUDA has none" : cudaGetErrorString(status)),
           exit_no_gpu);
    }
    if (static_cast<unsigned>(there) < gpus()) {
      fail("the test needs " + std::to_string(gpus()) + " GPUs", exit_cuda);
    }
    for (unsigned g = 0; g < gpus(); ++g) devices_.push_back({static_cast<int>(g)});
    cudaDeviceProp properties;
    require(cudaGetDeviceProperties(&properties, 0), "device properties");
    name_ = properties.name;
    for (const device& d : devices_) {
      for (const device& other : devices_) {
        if (d.number == other.number) continue;
        int can = 0;
        require(cudaDeviceCanAccessPeer(&can, d.number, other.number), "GPUs together");
        if (can == 0) fail("the GPUs cannot access each other's memory", exit_cuda);
        use(d);
        require(cudaDeviceEnablePeerAccess(other.number, 0), "GPUs together");
      }
    }
  }

  [[nodiscard]] cudaLaunchConfig_t configuration(unsigned blocks, cudaLaunchAttribute* attribute) {
    cudaLaunchConfig_t how{};
    how.gridDim = dim3(blocks);
    how.blockDim = dim3(block_size_);
    if (test_.cluster_size > 1) {
      attribute->id = cudaLaunchAttributeClusterDimension;
      attribute->val.clusterDim = {test_.cluster_size, 1, 1};
      how.attrs = attribute;
      how.numAttrs = 1;
    }
    return how;
  }

  [[nodiscard]] unsigned resident_blocks(const device& d) {
    if (test_.cluster_size > 1) {
      cudaLaunchAttribute attribute;
      const auto how = configuration(test_.cluster_size, &attribute);
      int clusters = 0;
      require(cudaOccupancyMaxActiveClusters(&clusters, carry_out, &how), "clusters");
      return static_cast<unsigned>(clusters) * test_.cluster_size;
    }
    int blocks = 0, processors = 0;
    require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, carry_out,
                                                          static_cast<int>(block_size_), 0),
            "occupancy");
    require(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, d.number),
            "device properties");
    return std::min(static_cast<unsigned>(blocks), blocks_of_multiprocessor) *
           static_cast<unsigned>(processors);
  }

  /// Sets what is the same in all launches.
  void make_plan() {
    launch& all = common_;
    all.first_thread = test_.first_thread;
    all.threads = static_cast<unsigned>(test_.registers.size());
    all.locations = static_cast<unsigned>(test_.initial.size());
    all.all_slots = test_.slots;
    all.native_barriers = test_.native_barriers;
    all.cluster_size = test_.cluster_size;
    all.several_gpus = gpus() > 1;
    all.bound = static_cast<unsigned>(run_.bound);
    for (unsigned t = 0; t < all.threads; ++t) {
      all.first_register[t] = static_cast<unsigned short>(all.all_registers);
      all.all_registers += test_.registers[t];
    }
    all.threads_of_cta = 1;
    for (std::size_t c = 0; c < test_.ctas.size(); ++c) {
      const auto& threads = test_.ctas[c].threads;
      all.thread_count[c] = static_cast<unsigned char>(threads.size());
      for (std::size_t i = 0; i < threads.size(); ++i)
        all.thread_of[c][i] = static_cast<unsigned char>(threads[i]);
      all.threads_of_cta = std::max(all.threads_of_cta, static_cast<unsigned>(threads.size()));
    }
    block_size_ = 32 * std::max(8U, all.threads_of_cta);
    unsigned warps = block_size_ / 32 / all.threads_of_cta;
    if (all.native_barriers != 0) warps = std::min(warps, named_barriers / all.native_barriers);
    all.per_block = warps * 32;

    most_groups_ = std::max(1U, most_instances / all.per_block);
    for (unsigned g = 0; g < gpus(); ++g) {
      device& d = devices_[g];
      use(d);
      d.blocks = resident_blocks(d);
      const unsigned fit = d.blocks / test_.cluster_size / std::max(1U, test_.clusters[g]);
      if (fit == 0) fail("an instance does not fit on the GPU", exit_cuda);
      most_groups_ = std::min(most_groups_, fit);
      d.finished = allocate<unsigned>(1);
      d.scratch = allocate<unsigned>(scratch_words);
      require(cudaEventCreateWithFlags(&d.end, cudaEventDisableTiming), "event");
      launch part = all;
      std::memset(part.cta_at, static_cast<int>(no_cta), sizeof part.cta_at);
      for (std::size_t c = 0; c < test_.ctas.size(); ++c) {
        const cta& each = test_.ctas[c];
        if (each.gpu == g) part.cta_at[each.cluster][each.rank] = static_cast<unsigned char>(c);
      }
      part.clusters = test_.clusters[g];
      part.finished = d.finished;
      part.scratch = d.scratch;
      parts_.push_back(part);
    }

    use(devices_[0]);
    const std::size_t instances = std::size_t{most_groups_} * all.per_block;
    all.memory = allocate<word>(most_memory / sizeof(word));
    all.registers = allocate<word>(instances * all.all_registers);
    all.slots = allocate<word>(instances * all.all_slots);
    all.late = allocate<unsigned>(instances);
    all.arrived = allocate<unsigned>(instances);
    initial_ = allocate<word>(all.locations);
    require(cudaMemcpy(initial_, test_.initial.data(), all.locations * sizeof(word),
                       cudaMemcpyHostToDevice),
            "initial values");
    const std::size_t columns = test_.observed.size();
    observed_ = allocate<unsigned>(columns);
    require(cudaMemcpy(observed_, test_.observed.data(), columns * sizeof(unsigned),
                       cudaMemcpyHostToDevice),
            "what is observed");
    rows_ = allocate<word>(instances * columns);
    require(
        cudaMallocHost(&host_rows_, std::max<std::size_t>(1, instances * columns) * sizeof(word)),
        "host memory");
    require(cudaMallocHost(&host_late_, instances * sizeof(unsigned)), "host memory");
  }

  /// Draws what is left to chance in the next launch.
  void choose() {
    std::seed_seq numbers{static_cast<unsigned>(run_.seed), static_cast<unsigned>(run_.seed >> 32),
                          static_cast<unsigned>(launches_)};
    std::mt19937_64 chance(numbers);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(chance() % n); };
    const auto one_of = [&](std::initializer_list<unsigned> all) {
      return all.begin()[below(static_cast<unsigned>(all.size()))];
    };
    launch& all = common_;
    all.groups = std::max(1U, most_groups_ / one_of({1, 1, 2, 4, 8}));
    all.stride = one_of({1, 1, 2, 4, 8, 16, 32, 64});
    const auto bytes = [&] {
      return std::size_t{all.groups} * all.per_block * all.locations * all.stride * sizeof(word);
    };
    while (all.stride > 1 && bytes() > most_memory) all.stride /= 2;
    while (all.groups > 1 && bytes() > most_memory) all.groups /= 2;
    all.instances = all.groups * all.per_block;
    for (unsigned i = 0; i < 8; ++i) {
      all.location_factor[i] = large_primes[below(8)];
      all.location_shift[i] = below(all.instances);
    }
    // Sometimes all locations of an instance are at the same place of their regions.
    if (below(4) == 0) {
      std::fill_n(all.location_factor, 8, 1U);
      std::fill_n(all.location_shift, 8, 0U);
    }
    for (unsigned c = 0; c < most_threads; ++c) {
      all.thread_factor[c] = small_primes[below(8)];
      all.thread_shift[c] = below(1024);
    }
    // A native barrier needs whole warps, and the same of them in all of the block.
    all.whole_warps = all.native_barriers != 0 || below(4) != 0;
    all.block_factor = large_primes[below(8)];
    all.block_shift = below(1U << 16);
    all.rotation = below(all.cluster_size);
    all.together = below(8) != 0;
    all.preload = below(2) == 0;
    all.jitter = one_of({0, 0, 0x7f, 0x3ff});
    all.seed = static_cast<unsigned>(chance());
    all.stress_before = one_of({0, 0, 8, 64});
    all.stress_lines = one_of({1, 2, 4, 16, 64});
    all.stress_stride = one_of({16, 64, 256, 1024, 4096});
    all.stress_pattern = below(4);
  }

  /// cudaErrorNotReady: not done at the deadline.
  cudaError_t launch_once() {
    ++launches_;
    const launch& all = common_;
    use(devices_[0]);
    const std::size_t instances = all.instances;
    if (const auto e = cudaMemsetAsync(all.registers, 0, instances * all.all_registers * 8))
      return e;
    if (const auto e = cudaMemsetAsync(all.slots, 0, instances * all.all_slots * 8)) return e;
    if (const auto e = cudaMemsetAsync(all.late, 0, instances * 4)) return e;
    if (const auto e = cudaMemsetAsync(all.arrived, 0, instances * 4)) return e;
    if (all.locations != 0) {
      prepare<<<256, 256>>>(all.memory, initial_, all.locations, all.instances, all.stride);
    }
    for (const device& d : devices_) {
      use(d);
      if (const auto e = cudaMemsetAsync(d.finished, 0, 4)) return e;
    }
    if (devices_.size() > 1) {  // all begin when memory is ready
      if (const auto e = wait_for_all()) return e;
    }

    for (std::size_t g = 0; g < devices_.size(); ++g) {
      const device& d = devices_[g];
      use(d);
      launch part = all;
      const launch& own = parts_[g];
      std::memcpy(part.cta_at, own.cta_at, sizeof part.cta_at);
      part.clusters = own.clusters;
      part.finished = own.finished;
      part.scratch = own.scratch;
      part.units = d.blocks / all.cluster_size;
      cudaLaunchAttribute attribute;
      const auto how = configuration(part.units * all.cluster_size, &attribute);
      if (const auto e = cudaLaunchKernelEx(&how, carry_out, part)) return e;
    }
    if (devices_.size() > 1) {
      if (const auto e = wait_for_all()) return e;
    }
    use(devices_[0]);
    const auto columns = static_cast<unsigned>(test_.observed.size());
    collect<<<256, 256>>>(all, observed_, columns, rows_);
    if (const auto e = cudaGetLastError()) return e;
    if (const auto e = cudaMemcpyAsync(host_rows_, rows_, instances * columns * sizeof(word),
                                       cudaMemcpyDeviceToHost))
      return e;
    if (const auto e = cudaMemcpyAsync(host_late_, all.late, instances * 4, cudaMemcpyDeviceToHost))
      return e;
    return wait_for_all();
  }

  cudaError_t wait_for_all() {
    const auto begin = std::chrono::steady_clock::now();
    const std::chrono::duration<double> deadline(run_.deadline);
    for (const device& d : devices_) {
      use(d);
      if (const auto e = cudaEventRecord(d.end)) return e;
    }
    for (const device& d : devices_) {
      for (;;) {
        const cudaError_t status = cudaEventQuery(d.end);
        if (status == cudaSuccess) break;
        if (status != cudaErrorNotReady) return status;
        if (std::chrono::steady_clock::now() - begin > deadline) return status;
        std::this_thread::sleep_for(std::chrono::microseconds(20));
      }
    }
    return cudaSuccess;
  }

  void count() {
    const std::size_t columns = test_.observed.size();
    for (unsigned i = 0; i < common_.instances; ++i) {
      if (host_late_[i] != 0)
        ++incomplete_;
      else
        seen_.add(host_rows_ + i * columns);
    }
    done_ += common_.instances;
  }
};

void list() {
  std::string text;
  for (const test& each : tests) text += (text.empty() ? "" : ", ") + quoted(each.name);
  std::printf("[%s]\n", text.c_str());
}

}  // namespace
}  // namespace litmus_gpu

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    litmus_gpu::list();
    return 0;
  }
  const litmus_gpu::options run = litmus_gpu::parse(argc, argv);
  litmus_gpu::runner(run).all_launches();
}
