// Measures how long a GPU takes to build a hash table with a lock for each bucket: Grote (2020),
// section 5.2.2. The locks are in algorithms/locks. grote_listings.hpp has them as printed, but for
// what is missing there, and with each word on a line of its own (`..._apart`). grote_locks.hpp has
// them with acquire and release. One table has no locks.
//
//   nvcc -std=c++20 -O3 -arch=native -DSIMT_MEASURED -Isim/include -Ialgorithms
//   hardware/table.cu -o table
//
// usage: table [options]
//   --subject tas_listing|ttas_listing|ticket_listing|mcs_listing|
//          tas_apart|ttas_apart|ticket_apart|mcs_apart|lock_free_apart|
//          tas|ttas|ticket|mcs|mcs2|lock_free   (tas)
//   --buckets N    (16)
//   --pairs N      with random keys, spread evenly over the threads (26214400)
//   --blocks N     (30)
//   --threads N    of each block (256)
//   --trials N     launches that are measured, after one that is not (10)
//   --deadline S   seconds after which a launch counts as hanging (10)
//
// A pair becomes the first of its bucket's list. Each launch is checked: every pair must be in the
// list of its bucket, once. building.cuh says what is printed.
#include <memory>
#include <random>
#include <vector>

#include "building.cuh"
#include "locks/apart_locks.hpp"
#include "locks/grote_listings.hpp"

namespace {

constexpr unsigned most_buckets = 1024;

/// Node 0 stands for no node.
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

/// `Word`: the type of a bucket.
template <class Word>
struct lock_free_table {
  Word buckets[most_buckets]{};

  SIMT_FN void insert(node* nodes, int number, unsigned count) {
    grote::word<int>& first = buckets[nodes[number].key % count];
    int before = first.load(simt::memory_order_relaxed);
    do {
      nodes[number].next = before;
    } while (!first.compare_exchange_strong(before, number, simt::memory_order_release,
                                            simt::memory_order_relaxed));
  }
  int first(unsigned bucket) const { return buckets[bucket].host_value(); }
};

using one_word = grote::word<int>;
struct alignas(apart::bytes) word_apart : one_word {};

struct mcs_apart {
  struct shared {
    apart::mcs_lock::qnode nodes[1 + grote::threads];
  };

  apart::mcs_lock queue;

  SIMT_FN void lock(shared& all) { queue.lock(all.nodes); }
  SIMT_FN void unlock(shared& all) { queue.unlock(all.nodes); }
};

template <class Table>
__global__ void insert_all(Table* table, node* nodes, unsigned pairs, unsigned buckets) {
  const unsigned threads = simt::grid_size();
  for (unsigned i = simt::thread_rank(); i < pairs; i += threads)
    table->insert(nodes, static_cast<int>(i) + 1, buckets);
}

/// A table and its pairs.
template <class Table>
class structure {
 public:
  explicit structure(const building::options& run)
      : run_(run), pairs_(std::size_t{run.amount} + 1) {
    std::mt19937 keys(1);
    for (std::size_t i = 1; i < pairs_.size(); ++i)
      pairs_[i] = {static_cast<unsigned>(keys()), static_cast<int>(i), 0};
  }

  void clear() {
    table_.send(std::make_unique<Table>().get());
    nodes_.send(pairs_.data());
  }
  void build() {
    insert_all<<<run_.blocks, run_.threads>>>(table_.there(), nodes_.there(), run_.amount,
                                              run_.places);
  }
  const char* what_is_wrong() const {
    const auto table = std::make_unique<Table>();
    table_.fetch(table.get());
    std::vector<node> nodes(pairs_.size());
    nodes_.fetch(nodes.data());
    std::vector<bool> there(nodes.size());
    std::size_t found = 0;
    // Follows the lists of all buckets a step at a time, so that the host waits for many nodes
    // together.
    std::vector<std::size_t> at(run_.places);
    for (unsigned bucket = 0; bucket < run_.places; ++bucket)
      at[bucket] = static_cast<std::size_t>(table->first(bucket));
    for (bool more = true; more;) {
      more = false;
      for (unsigned bucket = 0; bucket < run_.places; ++bucket) {
        const std::size_t number = at[bucket];
        if (number == 0) continue;
        if (number >= nodes.size() || there[number]) return "a pair is there twice";
        if (nodes[number].key % run_.places != bucket) return "a pair is in a wrong bucket";
        there[number] = true;
        ++found;
        at[bucket] = static_cast<std::size_t>(nodes[number].next);
        more = true;
      }
    }
    return found + 1 == nodes.size() ? nullptr : "a pair is lost";
  }

 private:
  const building::options& run_;
  std::vector<node> pairs_;
  building::device_memory<Table> table_{1};
  building::device_memory<node> nodes_{pairs_.size()};
};

template <class Lock>
using locked = structure<locked_table<Lock>>;

}  // namespace

int main(int argc, char** argv) {
  const building::room limits{"hardware/table.cu", "--buckets", most_buckets, "--pairs", 1U << 30};
  building::options defaults;
  defaults.subject = "tas";
  defaults.places = 16;
  defaults.amount = 26'214'400;
  defaults.threads = 256;
  const building::options run = building::parse(argc, argv, limits, defaults);
  const std::string device = building::find_device();
  using building::measure;
  if (run.subject == "tas_listing") measure<locked<grote::tas_listing>>(run, device);
  if (run.subject == "ttas_listing") measure<locked<grote::ttas_listing>>(run, device);
  if (run.subject == "ticket_listing") measure<locked<grote::ticket_listing>>(run, device);
  if (run.subject == "mcs_listing") measure<locked<grote::mcs_listing>>(run, device);
  if (run.subject == "tas") measure<locked<grote::tas_lock>>(run, device);
  if (run.subject == "ttas") measure<locked<grote::ttas_lock>>(run, device);
  if (run.subject == "ticket") measure<locked<grote::ticket_lock>>(run, device);
  if (run.subject == "mcs") measure<locked<grote::mcs_lock>>(run, device);
  if (run.subject == "mcs2") measure<locked<grote::mcs2_lock>>(run, device);
  if (run.subject == "lock_free") measure<structure<lock_free_table<one_word>>>(run, device);
  using grote::by_itself;
  if (run.subject == "tas_apart") measure<locked<by_itself<apart::tas_lock>>>(run, device);
  if (run.subject == "ttas_apart") measure<locked<by_itself<apart::ttas_lock>>>(run, device);
  if (run.subject == "ticket_apart") measure<locked<by_itself<apart::ticket_lock>>>(run, device);
  if (run.subject == "mcs_apart") measure<locked<mcs_apart>>(run, device);
  if (run.subject == "lock_free_apart")
    measure<structure<lock_free_table<word_apart>>>(run, device);
  building::wrong_use(limits, "there is no lock \"" + run.subject + "\"");
}
