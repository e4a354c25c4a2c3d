// Measures how many operations on structures a GPU carries out by software transactional memory:
// section 5.6 of Cederman's thesis (2011), by the code of algorithms/stm. Structures without locks
// are measured for comparison.
//
//   nvcc -std=c++20 -O3 -arch=native -DSIMT_MEASURED -Isim/include -Ialgorithms
//   hardware/stm.cu -o stm
//
// usage: stm [options]
//   --subject blocking|blocking_linear|blocking_exponential   (blocking) with that backoff
//             |obstruction_free|obstruction_free_linear|obstruction_free_exponential
//             |obstruction_free_writes|obstruction_free_writes_linear
//             |obstruction_free_writes_exponential   with locks of what is written alone
//             |lock_free         the queue of Michael and Scott, the hash table and the skip list
//                                of Misra and Chaudhuri, the tree by compare-and-swap
//   --workload STRUCTURE_low|STRUCTURE_full   (queue_full) contention; low: a pause of 0 to 100
//                                microseconds behind each operation. STRUCTURE: queue (half of the
//                                operations enqueue), hash_map (128 buckets) and binary_tree (all
//                                insert), skip_list (7 levels; a third inserts, a third erases)
//   --operations N   of each block, 32 or 64 (32)
//   --blocks N       each with one client (60)
//   --threads N      of each block, of which one works (32)
//   --trials N       launches that are measured, after one that is not (10)
//   --deadline S     seconds after which clients give up (10)
//
// Clients look at the clock when a transaction is aborted, so a livelock ends at the deadline, as
// `hang`. Operations without locks take a node by the thread's number. So each operation of such a
// client is done by another thread of the block, in turn.
//
// A structure is empty at first. Each launch is checked. Each value that is enqueued, and no other,
// must be dequeued once or left in the queue. For each key, as many inserts as erases must succeed,
// or one more if the key is there at the end. building.cuh says what is printed. `counted` is the
// number of aborted attempts of each operation.
#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "building.cuh"

#include "queues/michael_scott.hpp"
#include "sets/hash_list_of.hpp"
#include "sets/skip_nodes.hpp"
#include "stm/listed/blocking_items.hpp"
#include "stm/listed/obstruction_free_items.hpp"
#include "stm/structures.hpp"
#include "trees/cas_insert.hpp"

namespace {

// --- operations ---

enum kind { insert, erase, contains, enqueue, dequeue };

struct operation {
  int kind;
  int argument;
  unsigned pause;  // nanoseconds, behind it
};

struct workload {
  std::string structure, contention;

  explicit workload(const std::string& name)
      : structure(name.substr(0, name.rfind('_'))),
        contention(name.substr(std::min(name.size(), name.rfind('_') + 1))) {}

  [[nodiscard]] std::vector<int> kinds() const {
    if (structure == "queue") return {enqueue, dequeue};
    if (structure == "hash_map" || structure == "binary_tree") return {insert};
    if (structure == "skip_list") return {insert, erase, contains};
    return {};
  }
  [[nodiscard]] bool is_known() const {
    return !kinds().empty() && (contention == "low" || contention == "full");
  }
};

/// The operations to carry out, and whether their results are possible.
class given_operations {
 public:
  explicit given_operations(const building::options& run) : all_(run.blocks * run.amount) {
    const workload what(run.workload);
    const std::vector<int> kinds = what.kinds();
    std::mt19937 random(1);
    std::uniform_int_distribution<int> key(1, what.structure == "skip_list" ? 1 << 12 : 1 << 30);
    std::uniform_int_distribution<unsigned> pause(0, what.contention == "low" ? 100'000 : 0);
    std::vector<int> mixed(all_.size());
    for (std::size_t i = 0; i < mixed.size(); ++i) mixed[i] = kinds[i % kinds.size()];
    std::shuffle(mixed.begin(), mixed.end(), random);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const int argument = what.structure == "queue" ? static_cast<int>(i) + 1 : key(random);
      all_[i] = {mixed[i], argument, pause(random)};
      arguments_.push_back(argument);
    }
    std::sort(arguments_.begin(), arguments_.end());
    arguments_.erase(std::unique(arguments_.begin(), arguments_.end()), arguments_.end());
  }

  [[nodiscard]] const std::vector<operation>& all() const { return all_; }
  /// Keys or values, each once.
  [[nodiscard]] const std::vector<int>& arguments() const { return arguments_; }

  /// Checks a set. `has`: by the place of a key in arguments(), whether it is in the set at the
  /// end.
  [[nodiscard]] const char* what_is_wrong_in_set(const std::vector<int>& answers,
                                                 const std::vector<int>& has) const {
    std::vector<int> copies(arguments_.size());
    std::vector<bool> is_inserted(arguments_.size());
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const std::size_t at = place_of(all_[i].argument);
      if (all_[i].kind == insert) {
        copies[at] += answers[i];
        is_inserted[at] = true;
      }
      if (all_[i].kind == erase) copies[at] -= answers[i];
    }
    if (copies != has)
      return "inserts and erases that succeed do not give what is there in the end";
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (answers[i] != 0 && !is_inserted[place_of(all_[i].argument)])
        return "a key is found that is never inserted";
    }
    return nullptr;
  }

  /// Checks a queue. `left`: what is in the queue at the end, followed by zeros.
  [[nodiscard]] const char* what_is_wrong_in_queue(const std::vector<int>& answers,
                                                   const std::vector<int>& left) const {
    std::vector<int> copies(all_.size() + 1);
    std::vector<int> taken = left;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].kind == dequeue) taken.push_back(answers[i]);
    }
    for (const int value : taken) {
      if (value < 0 || value > static_cast<int>(all_.size()) ||
          (value > 0 && all_[static_cast<std::size_t>(value) - 1].kind != enqueue))
        return "a value is dequeued that nobody enqueued";
      ++copies[static_cast<std::size_t>(value)];
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (copies[i + 1] > 1) return "a value is dequeued twice";
      if (copies[i + 1] == 0 && all_[i].kind == enqueue) return "a value is lost";
    }
    return nullptr;
  }

 private:
  std::vector<operation> all_;
  std::vector<int> arguments_;

  [[nodiscard]] std::size_t place_of(int key) const {
    const auto at = std::lower_bound(arguments_.begin(), arguments_.end(), key);
    return static_cast<std::size_t>(at - arguments_.begin());
  }
};

// --- clients ---

__device__ unsigned long long now() {
  unsigned long long nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  return nanoseconds;
}
__device__ void wait(unsigned nanoseconds) {
  for (const unsigned long long begin = now(); now() - begin < nanoseconds;) {
  }
}

/// The client of a block.
struct client_state {
  unsigned long long stop_at;
  unsigned done;  // operations
  unsigned aborted;
  bool is_over;  // it has given up
};

__device__ client_state& begin_client(unsigned long long limit) {
  client_state& mine = simt::block_shared<client_state>();
  mine = {now() + limit, 0, 0, false};
  return mine;
}

/// What a client does between two attempts: it backs off, counts, and looks at the clock.
template <class Backoff>
struct timed : Backoff {
  SIMT_FN void sleep() {
    client_state& mine = simt::block_shared<client_state>();
    ++mine.aborted;
    Backoff::sleep();
    mine.is_over = now() >= mine.stop_at;
  }
  SIMT_FN bool is_over() { return simt::block_shared<client_state>().is_over; }
};

template <class Object>
__device__ int carry_out(Object& object, const operation& what) {
  if constexpr (requires { object.dequeue(); }) {
    if (what.kind == dequeue) {
      const simt::maybe<int> taken = object.dequeue();
      return taken ? *taken : 0;
    }
    object.enqueue(what.argument);
    return 0;
  } else {
    if constexpr (requires { object.erase(0); }) {
      if (what.kind == erase) return object.erase(what.argument) ? 1 : 0;
    }
    return what.kind == insert ? object.insert(what.argument) : object.contains(what.argument);
  }
}

/// One thread of each block carries out the client's operations.
template <class Object>
__global__ void carry_out_all(Object* object, const operation* all, unsigned each,
                              unsigned long long limit, int* answers, client_state* clients) {
  if (threadIdx.x != 0) return;
  client_state& mine = begin_client(limit);
  for (unsigned i = 0; i < each; ++i) {
    const unsigned number = blockIdx.x * each + i;
    answers[number] = carry_out(*object, all[number]);
    if (mine.is_over) break;
    ++mine.done;
    wait(all[number].pause);
  }
  clients[blockIdx.x] = mine;
}
/// Each operation is carried out by another thread of the block, one behind the other.
template <class Object>
__global__ void carry_out_in_turn(Object* object, const operation* all, int* answers) {
  const unsigned number = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned turn = 0; turn < blockDim.x; ++turn) {
    if (threadIdx.x == turn) {
      answers[number] = carry_out(*object, all[number]);
      wait(all[number].pause);
    }
    __syncthreads();
  }
}

template <class Object>
__global__ void begin(Object* object) {
  if constexpr (requires { object->init(); }) {
    if (threadIdx.x == 0) object->init();
  }
}
template <class Object>
__global__ void look_for_all(Object* set, const int* keys, unsigned count, int* has) {
  if (threadIdx.x != 0) return;
  begin_client(~0ULL >> 1);
  for (unsigned i = blockIdx.x; i < count; i += gridDim.x) has[i] = set->contains(keys[i]) ? 1 : 0;
}
template <class Object>
__global__ void take_all(Object* queue, unsigned most, int* left) {
  if (threadIdx.x != 0) return;
  begin_client(~0ULL >> 1);
  bool has_more = true;
  for (unsigned i = 0; i < most; ++i) {
    left[i] = has_more ? carry_out(*queue, {dequeue, 0, 0}) : 0;
    has_more = left[i] != 0;
  }
}

// --- structures ---

template <int objects>
using blocking = stm::listed_blocking_memory<objects>;
template <int objects>
using obstruction_free = stm::listed_obstruction_free_memory<objects>;
template <int objects>
using obstruction_free_writes =
    stm::listed_obstruction_free_memory<objects, stm::obstruction_free_faults{},
                                        stm::what_is_locked::written>;

/// The skip lists by transactions with drawn levels.
struct seven_levels {
  static constexpr int levels = 7;
  struct node : skip_node_of<levels> {
    int top{0};
  };

  SIMT_FN static int top_of(node& at, int) { return at.top; }
  SIMT_FN static void draw(node& at) {
    for (unsigned bits = simt::choose(1U << (levels - 1)); (bits & 1U) != 0; bits >>= 1) ++at.top;
  }
};
using lock_free_skip_list = skip_nodes_of<skip_nodes_once<seven_levels>>;
using lock_free_hash_map = hash_list_of<128>;

enum class clients { threads, by_turns };

template <class Object, clients how>
class on_gpu {
 public:
  explicit on_gpu(const building::options& run) : run_(run), given_(run) {
    building::options shape = run;
    shape.threads = how == clients::by_turns ? run.amount : 1;  // a thread's number is its client's
    building::set_shape(shape);
    operations_.send(given_.all().data());
    arguments_.send(given_.arguments().data());
    fresh_.send(std::make_unique<Object>().get());
  }

  void clear() {
    object_.copy(fresh_);
    begin<<<1, 32>>>(object_.there());
    building::require(cudaDeviceSynchronize(), "begin");
  }
  void build() {
    if constexpr (how == clients::by_turns) {
      carry_out_in_turn<<<run_.blocks, run_.amount>>>(object_.there(), operations_.there(),
                                                      answers_.there());
    } else {
      carry_out_all<<<run_.blocks, run_.threads>>>(object_.there(), operations_.there(),
                                                   run_.amount, run_.deadline * 1'000'000'000ULL,
                                                   answers_.there(), clients_.there());
    }
  }
  [[nodiscard]] std::string why_late() {
    if (how == clients::by_turns) return "";
    std::vector<client_state> all(run_.blocks);
    clients_.fetch(all.data());
    unsigned long long done = 0, aborted = 0;
    bool is_over = false;
    for (const client_state& each : all) {
      done += each.done;
      aborted += each.aborted;
      is_over = is_over || each.is_over;
    }
    if (launches_++ > 0) aborted_ += static_cast<double>(aborted);  // the first does not count
    if (!is_over) return "";
    return std::to_string(done) + " of " + std::to_string(given_.all().size()) +
           " operations are done after " + std::to_string(run_.deadline) + " s, " +
           std::to_string(aborted) + " attempts were aborted";
  }
  [[nodiscard]] const char* what_is_wrong() {
    std::vector<int> answers(given_.all().size()), in_the_end(given_.arguments().size());
    if constexpr (is_queue)
      take_all<<<1, 32>>>(object_.there(), size_of(in_the_end), in_the_end_.there());
    else
      look_for_all<<<stm::clients, 32>>>(object_.there(), arguments_.there(), size_of(in_the_end),
                                         in_the_end_.there());
    answers_.fetch(answers.data());
    in_the_end_.fetch(in_the_end.data());
    return is_queue ? given_.what_is_wrong_in_queue(answers, in_the_end)
                    : given_.what_is_wrong_in_set(answers, in_the_end);
  }
  [[nodiscard]] double counted() const {
    return launches_ < 2 ? 0
                         : aborted_ / (launches_ - 1) / static_cast<double>(given_.all().size());
  }

 private:
  static constexpr bool is_queue = requires(Object & object) { object.dequeue(); };

  const building::options& run_;
  given_operations given_;
  int launches_ = 0;
  double aborted_ = 0;  // in all launches that count
  building::device_memory<Object> fresh_{1}, object_{1};
  building::device_memory<operation> operations_{given_.all().size()};
  building::device_memory<int> arguments_{given_.arguments().size()};
  building::device_memory<int> answers_{given_.all().size()};
  building::device_memory<int> in_the_end_{given_.arguments().size()};
  building::device_memory<client_state> clients_{run_.blocks};

  static unsigned size_of(const std::vector<int>& all) { return static_cast<unsigned>(all.size()); }
};

// --- the choice of what is measured ---

struct measured {
  const building::options& run;
  std::string device;
  std::string structure = workload(run.workload).structure;

  template <template <int> class Memory, class Backoff>
  void by_transactions(const std::string& subject) const {
    using backoff = timed<Backoff>;
    if (run.subject != subject) return;
    object<stm::queue<Memory, backoff>, clients::threads>("queue");
    object<stm::hash_map<Memory, backoff>, clients::threads>("hash_map");
    object<stm::binary_tree<Memory, backoff>, clients::threads>("binary_tree");
    object<stm::skip_list<Memory, backoff>, clients::threads>("skip_list");
  }
  template <class Object, clients how>
  void object(const std::string& name) const {
    if (structure == name) building::measure<on_gpu<Object, how>>(run, device);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const building::room limits{"hardware/stm.cu", "",          0, "--operations",
                              stm::nodes_each,   stm::clients};
  building::options defaults;
  defaults.subject = "blocking";
  defaults.workload = "queue_full";
  defaults.places = 1;
  defaults.amount = 32;
  defaults.blocks = 60;
  defaults.threads = 32;
  const building::options run = building::parse(argc, argv, limits, defaults);
  if (!workload(run.workload).is_known())
    building::wrong_use(limits, "there is no workload \"" + run.workload + "\"");
  if (run.amount % 32 != 0) building::wrong_use(limits, "--operations takes 32 or 64");
  const measured all{run, building::find_device()};
  all.by_transactions<blocking, stm::no_backoff>("blocking");
  all.by_transactions<blocking, stm::linear_backoff>("blocking_linear");
  all.by_transactions<blocking, stm::exponential_backoff>("blocking_exponential");
  all.by_transactions<obstruction_free, stm::no_backoff>("obstruction_free");
  all.by_transactions<obstruction_free, stm::linear_backoff>("obstruction_free_linear");
  all.by_transactions<obstruction_free, stm::exponential_backoff>("obstruction_free_exponential");
  all.by_transactions<obstruction_free_writes, stm::no_backoff>("obstruction_free_writes");
  all.by_transactions<obstruction_free_writes, stm::linear_backoff>(
      "obstruction_free_writes_linear");
  all.by_transactions<obstruction_free_writes, stm::exponential_backoff>(
      "obstruction_free_writes_exponential");
  if (run.subject == "lock_free") {
    all.object<michael_scott, clients::by_turns>("queue");
    all.object<lock_free_hash_map, clients::by_turns>("hash_map");
    all.object<cas_insert, clients::by_turns>("binary_tree");
    all.object<lock_free_skip_list, clients::by_turns>("skip_list");
  }
  building::wrong_use(limits, "there is no subject \"" + run.subject + "\"");
}
