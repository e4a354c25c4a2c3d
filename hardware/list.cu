// Measures how long a GPU takes to insert pairs into a sorted list: Grote (2020), section 5.3, with
// the lists of algorithms/lists. `coupled_...` has a lock for each node, taken hand over hand.
// `coarse_...` has one for each entry point.
//
//   nvcc -std=c++20 -O3 -arch=native -DSIMT_MEASURED -Isim/include -Ialgorithms
//   hardware/list.cu -o list
//
// usage: list [options]
//   --subject coupled_LOCK|coarse_LOCK   (coupled_tas), where LOCK is
//          tas_listing|ttas_listing|ticket_listing|mcs2_listing (grote_listings.hpp)
//          |tas|ttas|ticket|mcs2 (grote_locks.hpp); also coupled_mcs2_unbranched, coarse_mcs
//   --entry-points N   at most (16)
//   --pairs N      with different keys, in random order, spread evenly over the threads (262144)
//   --blocks N     (30)
//   --threads N    of each block (128)
//   --trials N     launches that are measured, after one that is not (10)
//   --deadline S   seconds after which a launch counts as hanging (10)
//
// The list has parts. Each begins with its entry point, a node that is there from the start. A key
// shifted to the right is the number of its part. The shift is the one with the most parts that are
// not more than --entry-points. The last node of a part links to the next entry point. Each launch
// is checked: the list must be ascending and have all pairs and entry points. building.cuh says
// what is printed.
#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "building.cuh"
#include "lists/coarse_list_of.hpp"
#include "lists/coupled_list_of.hpp"
#include "locks/grote_listings.hpp"

namespace {

constexpr unsigned most_pairs = 1U << 20;

/// The nodes of list_nodes.hpp, with room for many. The entry points come first.
struct many_nodes {
  static constexpr int entry_points = 1 << 14;  // at most
  static constexpr int front = 0;
  static constexpr int end = 0;
  static constexpr int count = entry_points + static_cast<int>(most_pairs);

  struct node {
    int key;
    int value;
    int next;
  };

  node all[count]{};
  int parts = 0;
  int used[simt::measured_threads]{};  // nodes of each thread

  SIMT_FN int make(int key) {
    const int me = static_cast<int>(simt::thread_rank());
    const int number = parts + me + used[me]++ * static_cast<int>(simt::grid_size());
    all[number].key = key;
    all[number].value = -key;
    return number;
  }
  SIMT_FN node& operator[](int number) { return all[number]; }
};

template <class List>
__global__ void insert_all(List* list, const int* keys, unsigned pairs, unsigned shift) {
  const unsigned threads = simt::grid_size();
  for (unsigned i = simt::thread_rank(); i < pairs; i += threads)
    list->insert_behind(keys[i] >> shift, keys[i]);
}

/// A list, and the keys to insert. These are odd. An entry point's key is even: the least of its
/// part.
template <class List>
class structure {
 public:
  explicit structure(const building::options& run) : run_(run), keys_(run.amount) {
    for (unsigned i = 0; i < run.amount; ++i) keys_[i] = static_cast<int>(2 * i + 1);
    const auto greatest = 2 * run.amount - 1;
    std::shuffle(keys_.begin(), keys_.end(), std::mt19937(1));
    while (greatest >> shift_ >= run.places) ++shift_;
    parts_ = static_cast<int>(greatest >> shift_) + 1;
    keys_there_.send(keys_.data());
  }

  void clear() {
    list_ = std::make_unique<List>();
    auto& nodes = list_->nodes;
    nodes.parts = parts_;
    for (int part = 0; part < parts_; ++part)
      nodes.all[part] = {part << shift_, 0, part + 1 < parts_ ? part + 1 : many_nodes::end};
    list_there_.send(list_.get());
  }
  void build() {
    insert_all<<<run_.blocks, run_.threads>>>(list_there_.there(), keys_there_.there(), run_.amount,
                                              shift_);
  }
  const char* what_is_wrong() const {
    list_there_.fetch(list_.get());
    const auto& nodes = list_->nodes.all;
    const std::size_t all = std::size_t{run_.amount} + static_cast<std::size_t>(parts_);
    std::size_t found = 1;
    for (int at = many_nodes::front; nodes[at].next != many_nodes::end; ++found) {
      const int next = nodes[at].next;
      if (next < 0 || static_cast<std::size_t>(next) >= all) return "a link leads out of the list";
      if (nodes[next].key <= nodes[at].key) return "the list is out of order";
      if (next >= parts_ && nodes[next].value != -nodes[next].key) return "a value is wrong";
      at = next;
    }
    return found == all ? nullptr : "a pair is lost";
  }

 private:
  const building::options& run_;
  std::vector<int> keys_;
  unsigned shift_ = 0;
  int parts_ = 0;
  std::unique_ptr<List> list_;
  building::device_memory<List> list_there_{1};
  building::device_memory<int> keys_there_{run_.amount};
};

template <class Lock>
using coupled = structure<coupled_list_of<Lock, many_nodes>>;
template <class Lock>
using coarse = structure<coarse_list_of<Lock, many_nodes>>;

}  // namespace

int main(int argc, char** argv) {
  const building::room limits{"hardware/list.cu", "--entry-points", many_nodes::entry_points,
                              "--pairs", most_pairs};
  building::options defaults;
  defaults.subject = "coupled_tas";
  defaults.places = 16;
  defaults.amount = 262'144;
  defaults.threads = 128;
  const building::options run = building::parse(argc, argv, limits, defaults);
  if (run.places > run.amount) building::wrong_use(limits, "--entry-points: more than --pairs");
  const std::string device = building::find_device();
  using building::measure;
  if (run.subject == "coupled_tas_listing") measure<coupled<grote::tas_listing>>(run, device);
  if (run.subject == "coupled_ttas_listing") measure<coupled<grote::ttas_listing>>(run, device);
  if (run.subject == "coupled_ticket_listing") measure<coupled<grote::ticket_listing>>(run, device);
  if (run.subject == "coupled_mcs2_listing") measure<coupled<grote::mcs2_listing>>(run, device);
  if (run.subject == "coarse_tas_listing") measure<coarse<grote::tas_listing>>(run, device);
  if (run.subject == "coarse_ttas_listing") measure<coarse<grote::ttas_listing>>(run, device);
  if (run.subject == "coarse_ticket_listing") measure<coarse<grote::ticket_listing>>(run, device);
  if (run.subject == "coarse_mcs2_listing") measure<coarse<grote::mcs2_listing>>(run, device);
  if (run.subject == "coupled_tas") measure<coupled<grote::tas_lock>>(run, device);
  if (run.subject == "coupled_ttas") measure<coupled<grote::ttas_lock>>(run, device);
  if (run.subject == "coupled_ticket") measure<coupled<grote::ticket_lock>>(run, device);
  if (run.subject == "coupled_mcs2") measure<coupled<grote::mcs2_lock>>(run, device);
  if (run.subject == "coupled_mcs2_unbranched")
    measure<coupled<grote::unbranched_mcs2_lock>>(run, device);
  if (run.subject == "coarse_tas") measure<coarse<grote::tas_lock>>(run, device);
  if (run.subject == "coarse_ttas") measure<coarse<grote::ttas_lock>>(run, device);
  if (run.subject == "coarse_ticket") measure<coarse<grote::ticket_lock>>(run, device);
  if (run.subject == "coarse_mcs") measure<coarse<grote::mcs_lock>>(run, device);
  if (run.subject == "coarse_mcs2") measure<coarse<grote::mcs2_lock>>(run, device);
  building::wrong_use(limits, "there is no list \"" + run.subject + "\"");
}
