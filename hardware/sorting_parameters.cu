// Measures GPU-Quicksort with each combination of its three parameters: Cederman's thesis (2011),
// figures 2.9 to 2.11 and table 2.2. The keys are uniform, and phase one takes averages as pivots.
//
//   nvcc -std=c++20 -O3 -arch=native -DSIMT_MEASURED -Isim/include -Ialgorithms
//   hardware/sorting_parameters.cu -o sorting_parameters
//
// usage: sorting_parameters [options], each with numbers such as 64,128
//   --keys N,N...           (262144,524288,1048576,2097152,4194304,8388608,16777216,33554432)
//   --threads N,N...        of each block (64,128,256,512,1024)
//   --blocks N,N...         sequences that phase one makes (128,256,512,1024,2048,4096)
//   --bitonic-below N,N...  phase two sorts shorter sequences by bitonic sort
//                           (64,128,256,512,1024,2048,4096)
//   --trials N              sorts that are measured of each, after one that is not (3)
//   --seconds N             begin no other combination after so long (170)
//
// Prints a line of comma-separated values for each combination; times are in seconds, and
// phase_one is the median of its part. The keys of the last sort are checked; wrong ones end the
// program with exit status 1. Other exit statuses are those of building.cuh.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "quicksort.cuh"
#include "sorted_keys.hpp"

namespace {

using numbers = std::vector<unsigned>;

const building::room limits{"hardware/sorting_parameters.cu", "", 0, "", 0};

struct sweep {
  numbers keys{1U << 18, 1U << 19, 1U << 20, 1U << 21, 1U << 22, 1U << 23, 1U << 24, 1U << 25};
  numbers threads{64, 128, 256, 512, 1024};
  numbers blocks{128, 256, 512, 1024, 2048, 4096};
  numbers bitonic_below{64, 128, 256, 512, 1024, 2048, 4096};
  numbers trials{3};
  numbers seconds{170};
};

numbers numbers_in(const std::string& option, const std::string& text, unsigned least,
                   unsigned most) {
  numbers all;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    char* rest = nullptr;
    const unsigned long value = std::strtoul(one.c_str(), &rest, 10);
    if (one.empty() || *rest != 0 || one[0] == '-' || value < least || value > most)
      building::wrong_use(limits, option + " takes numbers from " + std::to_string(least) + " to " +
                                      std::to_string(most) + ", not \"" + one + "\"");
    all.push_back(static_cast<unsigned>(value));
    begin = end + 1;
  }
  return all;
}

sweep parse(int argc, char** argv) {
  sweep run;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) building::wrong_use(limits, option + " needs a value");
    const auto take = [&](numbers& target, unsigned least, unsigned most) {
      target = numbers_in(option, argv[i + 1], least, most);
    };
    if (option == "--keys")
      take(run.keys, 1, 1U << 28);
    else if (option == "--threads")
      take(run.threads, 32, 1024);
    else if (option == "--blocks")
      take(run.blocks, 1, 1U << 14);
    else if (option == "--bitonic-below")
      take(run.bitonic_below, 64, 4096);
    else if (option == "--trials")
      take(run.trials, 1, 1000);
    else if (option == "--seconds")
      take(run.seconds, 1, 100'000);
    else
      building::wrong_use(limits, "unknown option " + option);
  }
  for (const unsigned each : run.threads) {
    if (each % 32 != 0) building::wrong_use(limits, "--threads takes whole warps");
  }
  for (const unsigned each : run.bitonic_below) {
    if (!building::is_bitonic_size(each))
      building::wrong_use(limits, "--bitonic-below takes powers of two from 64 to 4096");
  }
  if (run.trials.size() > 1 || run.seconds.size() > 1)
    building::wrong_use(limits, "--trials and --seconds take one number");
  return run;
}

double median(std::vector<double> all) {
  std::ranges::sort(all);
  return (all[(all.size() - 1) / 2] + all[all.size() / 2]) / 2;
}

cudaEvent_t new_event() {
  cudaEvent_t event = nullptr;
  building::require(cudaEventCreate(&event), "event");
  return event;
}
double seconds_between(cudaEvent_t begin, cudaEvent_t end) {
  float milliseconds = 0;
  building::require(cudaEventElapsedTime(&milliseconds, begin, end), "event");
  return milliseconds / 1e3;
}

/// The keys of one length on the GPU, and the events of a sort.
class bench {
 public:
  bench(const building::options& run, unsigned trials) : given_(run), trials_(trials) {
    fresh_.send(given_.keys().data());
  }
  [[nodiscard]] cudaEvent_t between() const { return between_; }

  /// Measures a sorter, and prints the line behind the parameters.
  template <class Sorter>
  void measure(Sorter& sorter) {
    std::vector<double> whole, phase_one;
    bool in_other = false;
    for (unsigned trial = 0; trial <= trials_; ++trial) {
      keys_.copy(fresh_);
      building::require(cudaEventRecord(begin_), "event");
      in_other = sorter.sort(keys_.there(), other_.there()) == other_.there();
      building::require(cudaGetLastError(), "launch");
      building::require(cudaEventRecord(end_), "event");
      building::require(cudaEventSynchronize(end_), "sort");
      if (trial == 0) continue;
      whole.push_back(seconds_between(begin_, end_));
      phase_one.push_back(seconds_between(begin_, between_));
    }
    std::vector<int> result(given_.keys().size());
    (in_other ? other_ : keys_).fetch(result.data());
    if (const char* message = given_.what_is_wrong(result)) {
      std::fprintf(stderr, "%s\n", message);
      std::exit(1);
    }
    std::printf("%u,%.9f,%.9f,%.9f,%.9f\n", trials_, *std::ranges::min_element(whole),
                median(whole), *std::ranges::max_element(whole), median(phase_one));
    std::fflush(stdout);
  }

 private:
  building::unsorted given_;
  unsigned trials_;
  building::device_memory<int> fresh_{given_.keys().size()}, keys_{given_.keys().size()},
      other_{given_.keys().size()};
  cudaEvent_t begin_ = new_event(), between_ = new_event(), end_ = new_event();
};

}  // namespace

int main(int argc, char** argv) {
  const sweep run = parse(argc, argv);
  building::find_device();
  const auto start = std::chrono::steady_clock::now();
  const auto is_over = [&] {
    return std::chrono::steady_clock::now() - start > std::chrono::seconds(run.seconds[0]);
  };
  std::printf("keys,threads,blocks,bitonic_below,launches,least,median,most,phase_one\n");
  for (const unsigned keys : run.keys) {
    building::options each;
    each.workload = "uniform";
    each.places = keys;
    each.amount = run.bitonic_below[0];
    each.threads = run.threads[0];
    bench here(each, run.trials[0]);
    for (const unsigned blocks : run.blocks) {
      each.blocks = blocks;
      building::gpu_quicksort<sums::scan, pivots::averages, fills::by_block> sorter(each,
                                                                                    here.between());
      for (const unsigned threads : run.threads) {
        each.threads = threads;
        building::set_shape(each);
        sorter.set_threads(threads);
        for (const unsigned bitonic_below : run.bitonic_below) {
          if (is_over()) return 0;
          sorter.set_bitonic_below(bitonic_below);
          std::printf("%u,%u,%u,%u,", keys, threads, blocks, bitonic_below);
          here.measure(sorter);
        }
      }
    }
  }
}
