// Measures how long accesses to memory take on a GPU: the twelve benchmarks of Stuart and Owens,
// Efficient synchronization primitives for GPUs (2011), section 3.
//
//   nvcc -std=c++20 -O3 -arch=native hardware/accesses.cu -o accesses
//
// usage: accesses [options]
//   --blocks N     (as many as are resident together)
//   --accesses N   of each block (1000)
//   --trials N     launches that are measured, after one that is not (10)
//
// One thread of each block of 128 accesses memory: the same word in all blocks (contended), or a
// word of its own, 256 bytes from the next one. Reads are volatile loads or atomicAdd(word, 0).
// Writes are volatile stores or atomicExch. Volatile accesses are also measured behind one
// atomicAdd(word, 0) of each block. All words are in global memory.
//
// Each launch is checked: what was read, and what is there at the end, must be what was written.
//
// Prints one line of JSON on stdout:
//   {"device": "NVIDIA H200", "blocks": 2112, "accesses": 1000, "results": [{"access": "read",
//    "kind": "volatile", "contended": true, "after_atomic": false, "message": "",
//    "times": [0.0001, ...]}, ...]}
// times: seconds, on the GPU's clock. Empty if a launch was wrong; message then says how.
//
// Exit status: 0; 2 wrong use; 4 a CUDA error; 77 no GPU.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr int exit_usage = 2;
constexpr int exit_cuda = 4;
constexpr int exit_no_gpu = 77;

constexpr unsigned block_size = 128;
constexpr unsigned words_apart = 64;  // 256 bytes

struct options {
  unsigned blocks = 0;
  unsigned accesses = 1000;
  unsigned trials = 10;
};

enum class access { read, write };
enum class kind { volatile_, atomic };

struct benchmark {
  access what;
  kind how;
  bool contended;
  bool after_atomic;
};

constexpr benchmark benchmarks[] = {
    {access::read, kind::volatile_, true, false},  {access::write, kind::volatile_, true, false},
    {access::read, kind::volatile_, false, false}, {access::write, kind::volatile_, false, false},
    {access::read, kind::atomic, true, false},     {access::write, kind::atomic, true, false},
    {access::read, kind::atomic, false, false},    {access::write, kind::atomic, false, false},
    {access::read, kind::volatile_, true, true},   {access::write, kind::volatile_, true, true},
    {access::read, kind::volatile_, false, true},  {access::write, kind::volatile_, false, true}};

/// The value of all words before reads.
constexpr unsigned there = 3;

[[noreturn]] void wrong_use(const std::string& message) {
  std::fprintf(stderr, "%s; the top of hardware/accesses.cu has the usage\n", message.c_str());
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
    char* end = nullptr;
    const unsigned long value = std::strtoul(argv[i + 1], &end, 10);
    if (*end != 0 || argv[i + 1][0] == '-' || value < 1 || value > 1'000'000)
      wrong_use(option + " takes a number from 1 to 1000000, not \"" + argv[i + 1] + "\"");
    if (option == "--blocks")
      run.blocks = static_cast<unsigned>(value);
    else if (option == "--accesses")
      run.accesses = static_cast<unsigned>(value);
    else if (option == "--trials")
      run.trials = static_cast<unsigned>(value);
    else
      wrong_use("unknown option " + option);
  }
  return run;
}

/// The i-th value that a block writes. Never `there` or 0.
__host__ __device__ unsigned written(unsigned block, unsigned accesses, unsigned i) {
  return block * accesses + i + 4;
}

/// sums[block] becomes the sum of all that the block read, or that its exchanges returned.
template <access what, kind how>
__global__ void access_memory(unsigned* words, unsigned distance, unsigned accesses,
                              bool after_atomic, unsigned long long* sums) {
  if (threadIdx.x != 0) return;
  unsigned* const word = words + blockIdx.x * distance;
  volatile unsigned* const seen = word;
  unsigned long long sum = 0;
  if (after_atomic) sum += atomicAdd(word, 0U);
  for (unsigned i = 0; i < accesses; ++i) {
    if constexpr (what == access::read) {
      sum += how == kind::atomic ? atomicAdd(word, 0U) : *seen;
    } else if constexpr (how == kind::atomic) {
      sum += atomicExch(word, written(blockIdx.x, accesses, i));
    } else {
      *seen = written(blockIdx.x, accesses, i);
    }
  }
  sums[blockIdx.x] = sum;
}

using kernel = void (*)(unsigned*, unsigned, unsigned, bool, unsigned long long*);

kernel kernel_of(const benchmark& of) {
  if (of.what == access::read) {
    return of.how == kind::atomic ? access_memory<access::read, kind::atomic>
                                  : access_memory<access::read, kind::volatile_>;
  }
  return of.how == kind::atomic ? access_memory<access::write, kind::atomic>
                                : access_memory<access::write, kind::volatile_>;
}

/// The largest number of blocks for which all blocks of each benchmark are resident together.
unsigned resident_blocks() {
  int processors = 0, fewest = 0;
  require(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "device");
  for (const benchmark& each : benchmarks) {
    int blocks = 0;
    require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_of(each), block_size, 0),
            "occupancy");
    if (fewest == 0 || blocks < fewest) fewest = blocks;
  }
  return static_cast<unsigned>(processors * fewest);
}

class measurer {
 public:
  explicit measurer(const options& run) : run_(run), host_words_(run.blocks * words_apart) {
    require(cudaMalloc(&words_, host_words_.size() * sizeof(unsigned)), "device memory");
    require(cudaMalloc(&sums_, run.blocks * sizeof(unsigned long long)), "device memory");
    require(cudaEventCreate(&begin_), "event");
    require(cudaEventCreate(&end_), "event");
    host_sums_.resize(run.blocks);
  }

  std::string measure(const benchmark& of) {
    std::string times;
    const char* message = nullptr;
    for (unsigned trial = 0; trial <= run_.trials && message == nullptr; ++trial) {
      const double seconds = launch(of);
      message = what_is_wrong(of);
      if (trial == 0) continue;  // has much to load
      char text[32];
      std::snprintf(text, sizeof text, "%s%.9f", times.empty() ? "" : ", ", seconds);
      times += text;
    }
    const auto truth = [](bool value) { return value ? "true" : "false"; };
    return std::string("{\"access\": \"") + (of.what == access::read ? "read" : "write") +
           "\", \"kind\": \"" + (of.how == kind::atomic ? "atomic" : "volatile") +
           "\", \"contended\": " + truth(of.contended) +
           ", \"after_atomic\": " + truth(of.after_atomic) + ", \"message\": \"" +
           (message == nullptr ? "" : message) + "\", \"times\": [" +
           (message == nullptr ? times : "") + "]}";
  }

 private:
  const options& run_;
  unsigned* words_ = nullptr;
  unsigned long long* sums_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  std::vector<unsigned> host_words_;
  std::vector<unsigned long long> host_sums_;

  double launch(const benchmark& of) {
    host_words_.assign(host_words_.size(), there);
    require(cudaMemcpy(words_, host_words_.data(), host_words_.size() * sizeof(unsigned),
                       cudaMemcpyHostToDevice),
            "words");
    require(cudaEventRecord(begin_), "event");
    kernel_of(of)<<<run_.blocks, block_size>>>(words_, of.contended ? 0 : words_apart,
                                               run_.accesses, of.after_atomic, sums_);
    require(cudaGetLastError(), "launch");
    require(cudaEventRecord(end_), "event");
    require(cudaEventSynchronize(end_), "launch");
    require(cudaMemcpy(host_words_.data(), words_, host_words_.size() * sizeof(unsigned),
                       cudaMemcpyDeviceToHost),
            "words");
    require(cudaMemcpy(host_sums_.data(), sums_, host_sums_.size() * sizeof(unsigned long long),
                       cudaMemcpyDeviceToHost),
            "sums");
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin_, end_), "event");
    return milliseconds / 1e3;
  }

  /// A message, or null if nothing is wrong.
  [[nodiscard]] const char* what_is_wrong(const benchmark& of) const {
    if (of.what == access::read) {
      const unsigned long long reads = run_.accesses + (of.after_atomic ? 1 : 0);
      for (const unsigned long long sum : host_sums_) {
        if (sum != reads * there) return "a read returned what nobody has written";
      }
      return nullptr;
    }
    // An exchange returns the value before it, so all written values but the last ones come back.
    unsigned long long wanted = 0, returned = 0;
    for (unsigned block = 0; block < run_.blocks; ++block) {
      const unsigned last = written(block, run_.accesses, run_.accesses - 1);
      for (unsigned i = 0; i < run_.accesses; ++i) wanted += written(block, run_.accesses, i);
      returned += host_sums_[block];
      if (of.contended) continue;
      if (host_words_[block * words_apart] != last) return "a word is not what was written last";
      wanted += there;
      returned += last;
    }
    if (of.contended) {
      const unsigned last = host_words_[0];
      if (last < 4 || (last - 4) % run_.accesses != run_.accesses - 1 ||
          (last - 4) / run_.accesses >= run_.blocks)
        return "the word is not what a block has written last";
      wanted += there;
      returned += last;
    }
    return of.how == kind::volatile_ || wanted == returned ? nullptr
                                                           : "an exchange returned a wrong value";
  }
};

}  // namespace

int main(int argc, char** argv) {
  options run = parse(argc, argv);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "no GPU here\n");
    return exit_no_gpu;
  }
  cudaDeviceProp properties;
  require(cudaGetDeviceProperties(&properties, 0), "device properties");
  if (run.blocks == 0) run.blocks = resident_blocks();
  if (run.blocks > 0xffffffffU / run.accesses - 1)
    wrong_use("--blocks and --accesses are too many together");
  measurer all(run);
  std::string results;
  for (const benchmark& each : benchmarks)
    results += (results.empty() ? "" : ", ") + all.measure(each);
  std::printf("{\"device\": \"%s\", \"blocks\": %u, \"accesses\": %u, \"results\": [%s]}\n",
              properties.name, run.blocks, run.accesses, results.c_str());
  return 0;
}
