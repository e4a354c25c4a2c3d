// Measures Grote's counter (2020, section 5.2.1) as he describes it: a thread reads from a queue of
// work items which counter to increment, and takes the lock of that counter. The locks are those of
// table.cu, as printed, but for what is missing there.
//
//   nvcc -std=c++20 -O3 -arch=native -DSIMT_MEASURED -Isim/include -Ialgorithms
//   hardware/work_items.cu -o work_items
//
// usage: work_items [options]
//   --subject tas_listing|ttas_listing|ticket_listing|mcs_listing   (tas_listing)
//   --workload read|known   (read) threads read which counter; or there is one, and all know it
//   --counters N     (1)
//   --operations N   work items, spread evenly over the threads (32768)
//   --blocks N       (1)
//   --threads N      of each block (256)
//   --trials N       launches that are measured, after one that is not (10)
//   --deadline S     seconds after which a launch counts as hanging (10)
//
// The counters of the items are drawn. Each launch is checked: each counter must have the number of
// its items. building.cuh says what is printed.
#include <memory>
#include <random>
#include <vector>

#include "building.cuh"
#include "locks/grote_listings.hpp"

namespace {

constexpr unsigned most_counters = 1024;

template <class Lock>
struct locked_counters {
  struct counter {
    Lock lock;
    int value = 0;
  };
  typename Lock::shared shared;
  counter all[most_counters];

  SIMT_FN void increment(int which) {
    counter& mine = all[which];
    mine.lock.lock(shared);
    ++mine.value;
    mine.lock.unlock(shared);
  }
};

template <class Counters>
__global__ void increment_read(Counters* counters, const int* items, unsigned count) {
  const unsigned threads = simt::grid_size();
  for (unsigned i = simt::thread_rank(); i < count; i += threads) counters->increment(items[i]);
}
template <class Counters>
__global__ void increment_known(Counters* counters, unsigned count) {
  const unsigned threads = simt::grid_size();
  for (unsigned i = simt::thread_rank(); i < count; i += threads) counters->increment(0);
}

template <class Lock>
class structure {
 public:
  explicit structure(const building::options& run)
      : run_(run), due_(run.places), items_here_(run.amount) {
    std::mt19937 random(1);
    for (int& item : items_here_) {
      item = static_cast<int>(random() % run.places);
      ++due_[static_cast<std::size_t>(item)];
    }
    items_.send(items_here_.data());
  }

  void clear() { counters_.send(std::make_unique<counters>().get()); }
  void build() {
    if (run_.workload == "known")
      increment_known<<<run_.blocks, run_.threads>>>(counters_.there(), run_.amount);
    else
      increment_read<<<run_.blocks, run_.threads>>>(counters_.there(), items_.there(), run_.amount);
  }
  [[nodiscard]] const char* what_is_wrong() const {
    const auto result = std::make_unique<counters>();
    counters_.fetch(result.get());
    for (std::size_t i = 0; i < due_.size(); ++i) {
      if (result->all[i].value != due_[i]) return "a counter has not the number of its items";
    }
    return nullptr;
  }

 private:
  using counters = locked_counters<Lock>;

  const building::options& run_;
  std::vector<int> due_, items_here_;
  building::device_memory<counters> counters_{1};
  building::device_memory<int> items_{items_here_.size()};
};

}  // namespace

int main(int argc, char** argv) {
  const building::room limits{"hardware/work_items.cu", "--counters", most_counters, "--operations",
                              1U << 24};
  building::options defaults;
  defaults.subject = "tas_listing";
  defaults.workload = "read";
  defaults.places = 1;
  defaults.amount = 32'768;
  defaults.blocks = 1;
  defaults.threads = 256;
  const building::options run = building::parse(argc, argv, limits, defaults);
  if (run.workload != "read" && run.workload != "known")
    building::wrong_use(limits, "there is no workload \"" + run.workload + "\"");
  if (run.workload == "known" && run.places != 1)
    building::wrong_use(limits, "\"known\" is of one counter");
  const std::string device = building::find_device();
  using building::measure;
  if (run.subject == "tas_listing") measure<structure<grote::tas_listing>>(run, device);
  if (run.subject == "ttas_listing") measure<structure<grote::ttas_listing>>(run, device);
  if (run.subject == "ticket_listing") measure<structure<grote::ticket_listing>>(run, device);
  if (run.subject == "mcs_listing") measure<structure<grote::mcs_listing>>(run, device);
  building::wrong_use(limits, "there is no lock \"" + run.subject + "\"");
}
