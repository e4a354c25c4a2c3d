// Records in which order a GPU runs the two sides of a branch: Grote (2020), listings 3.4 and 3.5,
// figure 3.1. Each side has two blocks of code, and all lanes go on with a fifth one:
//
//   if (condition) { 1.1; [syncwarp;] 1.2; } else { 2.1; [syncwarp;] 2.2; } 3;
//
//   nvcc -std=c++20 -O3 -arch=native hardware/branch_order.cu -o branch_order
//   nvcc -std=c++20 -O3 -arch=compute_75 -ptx hardware/branch_order.cu -o branch_order.ptx
//
// usage: branch_order [options]
//   --ptx FILE     kernels that the driver compiles: for .target sm_60 the GPU schedules as those
//                  before Volta (default: as compiled by nvcc). Without syncwarp only, which needs
//                  independent thread scheduling
//   --jit N        how much the driver optimizes, 0 to 4 (4)
//   --launches N   of each kernel, each with 1056 warps (10)
//
// Each lane stores the clock of its multiprocessor in each block of code that it runs. Prints a
// line of comma-separated values for each order that was seen:
//   syncwarp   yes, no
//   written    1_first: as above; 2_first: with the condition negated and the sides exchanged
//   lanes      for which the condition holds
//   loads      from global memory, one behind the other, in each of the blocks 1.1 and 2.1
//   order      of the blocks of code, by the clock of the first lane in each; `=` in place of a
//              blank: both began together
//   together   in 3: whether all lanes were there at one time
//   warps      that had this order
//
// Exit status: 0; 2 wrong use; 4 a CUDA error; 77 no GPU.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <cuda_runtime.h>

namespace {

constexpr unsigned warps = 1056;
constexpr unsigned lanes = 32;
constexpr unsigned places = 5;  // blocks of code
constexpr std::array<const char*, places> names{"1.1", "1.2", "2.1", "2.2", "3"};

/// What a launch is given. Lane i of a warp has the condition if bit i is set.
struct given {
  unsigned condition;
  unsigned loads;
  const volatile unsigned* memory;  // holds zeros
  long long* clocks;                // of each warp, lane and block of code
};

__device__ long long clock_now() {
  long long now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
  return now;
}

/// A block of code: takes the time, then loads. A loop keeps the compiler from running both sides
/// as one.
__device__ void block_of_code(const given& run, long long* clocks, unsigned which, unsigned loads) {
  clocks[which] = clock_now();
  unsigned at = 0;
  for (unsigned i = 0; i < loads; ++i) at = run.memory[at];
  if (at != 0) clocks[which] = 0;
}

template <bool syncs, bool second_first>
__device__ void run_branch(const given& run) {
  const unsigned lane = threadIdx.x;
  const bool condition = (run.condition >> lane & 1) != 0;
  long long* const clocks = run.clocks + (blockIdx.x * lanes + lane) * places;
  const auto one = [&] {
    block_of_code(run, clocks, 0, run.loads);
    if (syncs) __syncwarp();
    block_of_code(run, clocks, 1, run.loads / 2);
  };
  const auto two = [&] {
    block_of_code(run, clocks, 2, run.loads);
    if (syncs) __syncwarp();
    block_of_code(run, clocks, 3, run.loads / 2);
  };
  if constexpr (second_first) {
    if (!condition)
      two();
    else
      one();
  } else {
    if (condition)
      one();
    else
      two();
  }
  block_of_code(run, clocks, 4, 0);
}

}  // namespace

extern "C" {
__global__ void branch(given run) { run_branch<false, false>(run); }
__global__ void branch_second_first(given run) { run_branch<false, true>(run); }
__global__ void branch_syncs(given run) { run_branch<true, false>(run); }
__global__ void branch_syncs_second_first(given run) { run_branch<true, true>(run); }
}

namespace {

struct kernel {
  const char* name;
  const void* compiled;
  bool syncs, second_first;
};
const std::array<kernel, 4> kernels{
    kernel{"branch", reinterpret_cast<const void*>(branch), false, false},
    kernel{"branch_second_first", reinterpret_cast<const void*>(branch_second_first), false, true},
    kernel{"branch_syncs", reinterpret_cast<const void*>(branch_syncs), true, false},
    kernel{"branch_syncs_second_first", reinterpret_cast<const void*>(branch_syncs_second_first),
           true, true}};

struct condition {
  const char* name;
  unsigned mask;
};
constexpr std::array<condition, 6> conditions{
    condition{"odd", 0xaaaaaaaaU},   condition{"even", 0x55555555U},
    condition{"first", 1U},          condition{"last", 1U << 31},
    condition{"all_but_first", ~1U}, condition{"first_half", 0xffffU}};

void require(cudaError_t status, const std::string& what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what.c_str(), cudaGetErrorString(status));
  std::exit(4);
}

[[noreturn]] void wrong_use(const std::string& message) {
  std::fprintf(stderr, "%s; the top of hardware/branch_order.cu has the usage\n", message.c_str());
  std::exit(2);
}

struct options {
  std::string ptx;
  unsigned jit = 4;
  unsigned launches = 10;
};

options parse(int argc, char** argv) {
  options run;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) wrong_use(option + " needs a value");
    const auto number = [&](unsigned long most) {
      char* end = nullptr;
      const unsigned long value = std::strtoul(argv[i + 1], &end, 10);
      if (*argv[i + 1] == 0 || *argv[i + 1] == '-' || *end != 0 || value > most)
        wrong_use(option + " takes a number up to " + std::to_string(most));
      return static_cast<unsigned>(value);
    };
    if (option == "--ptx")
      run.ptx = argv[i + 1];
    else if (option == "--jit")
      run.jit = number(4);
    else if (option == "--launches")
      run.launches = number(1'000'000);
    else
      wrong_use("unknown option " + option);
  }
  return run;
}

/// The order that the lanes of a warp have seen. `clocks`: of each lane, of each block of code; 0:
/// it did not run it.
std::string order_of(const long long* clocks) {
  std::array<long long, places> first{}, last{};
  for (unsigned lane = 0; lane < lanes; ++lane) {
    for (unsigned place = 0; place < places; ++place) {
      const long long at = clocks[lane * places + place];
      if (at == 0) continue;
      first[place] = first[place] == 0 ? at : std::min(first[place], at);
      last[place] = std::max(last[place], at);
    }
  }
  std::array<unsigned, places> order{0, 1, 2, 3, 4};
  std::ranges::stable_sort(order, {}, [&](unsigned place) { return first[place]; });
  std::string text = names[order[0]];
  for (unsigned i = 1; i < places; ++i)
    text += (first[order[i]] == first[order[i - 1]] ? "=" : " ") + std::string(names[order[i]]);
  return text + (first[4] == last[4] ? ",yes" : ",no");
}

}  // namespace

int main(int argc, char** argv) {
  const options run = parse(argc, argv);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "no GPU here\n");
    return 77;
  }
  cudaLibrary_t library = nullptr;
  if (!run.ptx.empty()) {
    cudaJitOption option = cudaJitOptimizationLevel;
    void* value = reinterpret_cast<void*>(static_cast<std::size_t>(run.jit));
    require(
        cudaLibraryLoadFromFile(&library, run.ptx.c_str(), &option, &value, 1, nullptr, nullptr, 0),
        run.ptx);
  }
  constexpr std::size_t bytes = sizeof(long long) * warps * lanes * places;
  given there{};
  void* memory = nullptr;
  void* clocks = nullptr;
  require(cudaMalloc(&memory, sizeof(unsigned)), "memory");
  require(cudaMemset(memory, 0, sizeof(unsigned)), "memory");
  require(cudaMalloc(&clocks, bytes), "memory");
  there.memory = static_cast<const volatile unsigned*>(memory);
  there.clocks = static_cast<long long*>(clocks);
  std::vector<long long> seen(bytes / sizeof(long long));
  std::printf("syncwarp,written,lanes,loads,order,together,warps\n");
  for (const kernel& each : kernels) {
    const void* function = each.compiled;
    if (library != nullptr) {
      if (each.syncs) continue;
      cudaKernel_t loaded = nullptr;
      require(cudaLibraryGetKernel(&loaded, library, each.name), each.name);
      function = reinterpret_cast<const void*>(loaded);
    }
    for (const condition& holds : conditions) {
      for (const unsigned loads : {0U, 2U, 8U}) {
        there.condition = holds.mask;
        there.loads = loads;
        std::map<std::string, unsigned> orders;
        for (unsigned launch = 0; launch < run.launches; ++launch) {
          require(cudaMemset(clocks, 0, bytes), "memory");
          void* arguments[]{&there};
          require(cudaLaunchKernel(function, dim3(warps), dim3(lanes), arguments, 0, nullptr),
                  "launch");
          require(cudaMemcpy(seen.data(), clocks, bytes, cudaMemcpyDeviceToHost), each.name);
          for (unsigned warp = 0; warp < warps; ++warp)
            ++orders[order_of(seen.data() + std::size_t{warp} * lanes * places)];
        }
        for (const auto& [order, count] : orders)
          std::printf("%s,%s,%s,%u,%s,%u\n", each.syncs ? "yes" : "no",
                      each.second_first ? "2_first" : "1_first", holds.name, loads, order.c_str(),
                      count);
      }
    }
  }
}
