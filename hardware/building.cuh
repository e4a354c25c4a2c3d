// Options, launches with a deadline, and the report. The programs share them that measure how long
// a GPU takes for a piece of work, such as building a table with locks (table.cu, list.cu) or
// sorting (sorting.cu).
//
// Prints one line of JSON on stdout:
//   {"device": "NVIDIA H200", "outcome": "finished", "message": "", "times": [0.01, ...],
//    "counted": 12}
// times: seconds of all launches, on the GPU's clock (for work of the CPU: on the CPU's). The first
// launch does not count. counted: what a program counts beside the time, or null.
// outcome: finished, check-failed, hang or device-error.
//
// Exit status: 0 with any outcome; 2 wrong use; 4 a CUDA error before the first launch; 77 no GPU.
#pragma once

#include <simt/simt.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <unistd.h>

// Nothing looks for subjects by name here.
#undef SIMT_SUBJECT
#define SIMT_SUBJECT(...) static_assert(true)

namespace building {

constexpr int exit_usage = 2;
constexpr int exit_cuda = 4;
constexpr int exit_no_gpu = 77;

struct options {
  std::string subject;
  std::string workload;
  unsigned places;      // buckets, entry points or keys
  unsigned amount = 0;  // pairs or operations of a launch
  unsigned blocks = 30;
  unsigned threads;  // of each block
  unsigned trials = 10;
  unsigned deadline = 10;  // seconds
};

/// The names of a program's options for places and amount, and the largest values that it has room
/// for.
struct room {
  const char* file;    // with the usage at its top
  const char* places;  // the option
  unsigned most_places;
  const char* amount;  // likewise; empty: there is none
  unsigned most_amount;
  unsigned most_blocks = simt::measured_blocks;
  unsigned most_threads = simt::measured_threads;  // of a launch
};

[[noreturn]] inline void wrong_use(const room& limits, const std::string& message) {
  std::fprintf(stderr, "%s; the top of %s has the usage\n", message.c_str(), limits.file);
  std::exit(exit_usage);
}

inline void require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(exit_cuda);
}

/// `run`: the defaults of options that are not given.
inline options parse(int argc, char** argv, const room& limits, options run) {
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) wrong_use(limits, option + " needs a value");
    const std::string text = argv[i + 1];
    if (option == "--subject" || option == "--workload") {
      (option == "--subject" ? run.subject : run.workload) = text;
      continue;
    }
    const auto take = [&](unsigned& target, unsigned long most) {
      char* end = nullptr;
      const unsigned long value = std::strtoul(text.c_str(), &end, 10);
      if (text.empty() || *end != 0 || text[0] == '-' || value < 1 || value > most)
        wrong_use(limits, option + " takes a number from 1 to " + std::to_string(most) +
                              ", not \"" + text + "\"");
      target = static_cast<unsigned>(value);
    };
    if (option == limits.places)
      take(run.places, limits.most_places);
    else if (*limits.amount != 0 && option == limits.amount)
      take(run.amount, limits.most_amount);
    else if (option == "--blocks")
      take(run.blocks, limits.most_blocks);
    else if (option == "--threads")
      take(run.threads, 1024);
    else if (option == "--trials")
      take(run.trials, 100'000);
    else if (option == "--deadline")
      take(run.deadline, 1'000'000);
    else
      wrong_use(limits, "unknown option " + option);
  }
  const bool is_on_cpu =
      run.subject.compare(0, 4, "cpu_") == 0 || run.subject.compare(0, 4, "std_") == 0;
  if (!is_on_cpu && run.threads % 32 != 0) wrong_use(limits, "--threads takes whole warps");
  if (run.blocks * run.threads > limits.most_threads)
    wrong_use(limits, "--blocks and --threads are too many together");
  return run;
}

/// The GPU's name. Ends the process if there is no GPU.
inline std::string find_device() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "no GPU here\n");
    std::exit(exit_no_gpu);
  }
  cudaDeviceProp properties;
  require(cudaGetDeviceProperties(&properties, 0), "device properties");
  return properties.name;
}

/// Sets the launch parameters from which the API computes its indices.
inline void set_shape(const options& run) {
  simt::detail::launch_parameters shape{};
  for (unsigned warp = 0; warp < run.threads / 32; ++warp) {
    shape.lanes[warp] = 32;
    shape.first_lane[warp] = warp * 32;
  }
  shape.block_threads = run.threads;
  shape.clients = simt::detail::client_kind::lane;
  require(cudaMemcpyToSymbol(simt::detail::launch, &shape, sizeof shape), "launch parameters");
}

/// Ends without the runtime's clean-up, which would wait for a hanging kernel.
[[noreturn]] inline void report(const std::string& device, const char* outcome, const char* message,
                                const std::string& times, const std::string& counted = "null") {
  std::printf(
      "{\"device\": \"%s\", \"outcome\": \"%s\", \"message\": \"%s\", \"times\": [%s], "
      "\"counted\": %s}\n",
      device.c_str(), outcome, message, times.c_str(), counted.c_str());
  std::fflush(stdout);
  _exit(0);
}

/// Waits for the event. cudaErrorNotReady: it has not happened by the deadline.
inline cudaError_t wait(cudaEvent_t end, unsigned deadline) {
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    const cudaError_t status = cudaEventQuery(end);
    if (status != cudaErrorNotReady) return status;
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(deadline)) return status;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

/// Measures the seconds of a launch on the GPU's clock.
class gpu_clock {
 public:
  gpu_clock() {
    require(cudaEventCreate(&begin_), "event");
    require(cudaEventCreate(&end_), "event");
  }
  void begin() { require(cudaEventRecord(begin_), "event"); }
  void end() {
    require(cudaGetLastError(), "launch");
    require(cudaEventRecord(end_), "event");
  }
  cudaError_t wait(unsigned deadline) const { return building::wait(end_, deadline); }
  double seconds() const {
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin_, end_), "event");
    return milliseconds / 1e3;
  }

 private:
  cudaEvent_t begin_, end_;
};

/// Measures the seconds of work that the CPU does. The work has ended at end().
class cpu_clock {
 public:
  void begin() { begin_ = std::chrono::steady_clock::now(); }
  void end() { end_ = std::chrono::steady_clock::now(); }
  static cudaError_t wait(unsigned) { return cudaSuccess; }
  double seconds() const { return std::chrono::duration<double>(end_ - begin_).count(); }

 private:
  std::chrono::steady_clock::time_point begin_, end_;
};

/// Measures how long a structure takes to build, and prints the report. A structure has `clear()`,
/// which makes it empty on the GPU, `build()`, which launches the measured kernel, and
/// `what_is_wrong()`, which returns a message or null. It may have `counted()`. A kernel that ends
/// by itself at the deadline has `why_late()`. One that does a part of the work alone has
/// `part_done()`, and the time becomes that of all of it at the same speed.
template <class Structure, class Clock = gpu_clock>
[[noreturn]] void measure(const options& run, const std::string& device) {
  set_shape(run);
  Structure structure(run);
  Clock clock;
  std::string times;
  for (unsigned trial = 0; trial <= run.trials; ++trial) {
    structure.clear();
    clock.begin();
    structure.build();
    clock.end();
    constexpr bool ends_by_itself = requires { structure.why_late(); };
    const cudaError_t status = clock.wait(run.deadline + (ends_by_itself ? 5 : 0));
    if (status == cudaErrorNotReady) report(device, "hang", "", "");
    if (status != cudaSuccess) report(device, "device-error", cudaGetErrorString(status), "");
    if constexpr (ends_by_itself) {
      const std::string late = structure.why_late();
      if (!late.empty()) report(device, "hang", late.c_str(), "");
    }
    if (const char* message = structure.what_is_wrong())
      report(device, "check-failed", message, "");
    double seconds = clock.seconds();
    if constexpr (requires { structure.part_done(); }) seconds /= structure.part_done();
    char text[32];
    std::snprintf(text, sizeof text, "%s%.9f", times.empty() ? "" : ", ", seconds);
    times += text;
  }
  if constexpr (requires { structure.counted(); })
    report(device, "finished", "", times, std::to_string(structure.counted()));
  report(device, "finished", "", times);
}

/// Memory on the GPU that is never freed.
template <class T>
class device_memory {
 public:
  explicit device_memory(std::size_t count) : bytes_(count * sizeof(T)) {
    require(cudaMalloc(&there_, bytes_), "device memory");
  }
  [[nodiscard]] T* there() const { return there_; }
  void send(const T* here) {
    require(cudaMemcpy(there_, here, bytes_, cudaMemcpyHostToDevice), "to the GPU");
  }
  void copy(const device_memory& other) {
    require(cudaMemcpy(there_, other.there_, bytes_, cudaMemcpyDeviceToDevice), "on the GPU");
  }
  void fetch(T* here) const {
    require(cudaMemcpy(here, there_, bytes_, cudaMemcpyDeviceToHost), "from the GPU");
  }

 private:
  T* there_ = nullptr;
  std::size_t bytes_;
};

}  // namespace building

#include "device_arrays.cuh"
