// Measures moves between two containers: Cederman's thesis (2011), section 4.6, by the code of
// algorithms/moves. Some clients only insert and remove, the others only move.
//
//   nvcc -std=c++20 -O3 -arch=native -DSIMT_MEASURED -Isim/include -Ialgorithms
//   hardware/move.cu -o move
//
// usage: move [options]
//   --subject dcas|dcas_backoff         (dcas) moves by the DCAS of the thesis, mended
//             |locked|locked_backoff    sequential containers, under a lock each
//             |unready|unready_backoff  containers without moves, before they were made ready
//   --workload CONTAINERS_PERCENT_CONTENTION  (queue_queue_50_high) CONTAINERS: queue_queue,
//                                       queue_stack, stack_stack; 0, 25, 50, 75 or 100 percent of
//                                       the clients move, rounded down; high, low: pauses behind
//                                       operations of 0.1 or 0.5 microseconds on average
//   --operations N   of each client at most, to 900 (512)
//   --blocks N       each with one client, to 256 (16)
//   --threads N      of each block, of which one works (32)
//   --trials N       launches that are measured, after one that is not (10)
//   --deadline S     seconds after which a launch counts as hanging (10)
//
// The first client that has done its operations ends the launch, so that all are at work all the
// time. The time is that of all operations at this speed, where a move is two. Each client has put
// 32 values into both containers before. Directions and containers are drawn;
// half of the insertions and removals are insertions. Pauses are of the normal distribution, for a
// clock of 2 GHz. Each launch is checked: what was inserted is removed once or left, and containers
// have as many values as the answers say. `counted`: operations of a client in a millisecond, the
// average of those that insert and remove; 0 if there are none. building.cuh says what is printed.
#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "building.cuh"
#include "measured_moves.hpp"

namespace {

constexpr unsigned filled = 32;  // values of each client in either container before
constexpr unsigned most_operations = 900;
constexpr double clock_ghz = 2;
constexpr int not_done = -1;  // in place of an answer

enum kind { insert_a, insert_b, remove_a, remove_b, move_ab, move_ba };

struct operation {
  int kind;
  int value;       // to insert
  unsigned pause;  // cycles, behind it
};

struct workload {
  std::string containers, contention;
  unsigned percent = 101;

  explicit workload(const std::string& name) {
    const std::size_t last = name.rfind('_');
    const std::size_t middle = last == std::string::npos ? last : name.rfind('_', last - 1);
    if (middle == std::string::npos) return;
    containers = name.substr(0, middle);
    contention = name.substr(last + 1);
    const std::string number = name.substr(middle + 1, last - middle - 1);
    for (const unsigned known : {0U, 25U, 50U, 75U, 100U}) {
      if (number == std::to_string(known)) percent = known;
    }
  }
  [[nodiscard]] bool is_known() const {
    return (containers == "queue_queue" || containers == "queue_stack" ||
            containers == "stack_stack") &&
           percent <= 100 && (contention == "low" || contention == "high");
  }
  /// Clients that move, the first ones.
  [[nodiscard]] unsigned movers(unsigned clients) const { return clients * percent / 100; }
};

/// The operations to carry out, and whether their results are possible.
class given_operations {
 public:
  explicit given_operations(const building::options& run)
      : of_client_(run.amount),
        first_inserted_(2 * filled * run.blocks + 1),
        all_(std::size_t{run.blocks} * run.amount) {
    const workload what(run.workload);
    std::mt19937 random(1);
    const double mean = what.contention == "high" ? 100 * clock_ghz : 500 * clock_ghz;
    std::normal_distribution<double> pause(mean, mean / 4);
    std::uniform_int_distribution<int> side(0, 1);
    for (unsigned client = 0; client < run.blocks; ++client) {
      std::vector<int> kinds(run.amount);
      for (unsigned i = 0; i < run.amount; ++i) {
        const bool moves = client < what.movers(run.blocks);
        kinds[i] = (moves ? move_ab : i % 2 == 0 ? insert_a : remove_a) + side(random);
      }
      std::shuffle(kinds.begin(), kinds.end(), random);
      for (unsigned i = 0; i < run.amount; ++i) {
        const std::size_t number = std::size_t{client} * run.amount + i;
        all_[number] = {kinds[i], static_cast<int>(first_inserted_ + number),
                        static_cast<unsigned>(std::max(0.0, pause(random)))};
      }
    }
  }

  [[nodiscard]] const std::vector<operation>& all() const { return all_; }
  /// Values that there are at most, 0 included.
  [[nodiscard]] std::size_t values() const { return first_inserted_ + all_.size(); }

  /// `left`: what is in the containers at the end, and behind the values of each a 0.
  [[nodiscard]] const char* what_is_wrong(const std::vector<int>& answers,
                                          const std::vector<int>& left) const {
    std::vector<int> copies(values());
    std::size_t at = 0;
    long long counts[2] = {};  // of values that are left
    for (long long& count : counts) {
      for (; at < left.size() && left[at] != 0; ++at, ++count) {
        if (!take(copies, left[at])) return "a value is left that nobody inserted";
      }
      ++at;
    }
    long long due[2] = {static_cast<long long>(first_inserted_ / 2),
                        static_cast<long long>(first_inserted_ / 2)};
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const int answer = answers[i], kind = all_[i].kind;
      if (answer == not_done) continue;
      if (kind == insert_a || kind == insert_b) ++due[kind - insert_a];
      if ((kind == remove_a || kind == remove_b) && answer != 0) {
        --due[kind - remove_a];
        if (!take(copies, answer)) return "a value is removed that nobody inserted";
      }
      if ((kind == move_ab || kind == move_ba) && answer != 0) {
        --due[kind - move_ab];
        ++due[1 - (kind - move_ab)];
      }
    }
    for (std::size_t value = 1; value < values(); ++value) {
      const bool is_there = value < first_inserted_ ||
                            (is_insertion(value) && answers[value - first_inserted_] != not_done);
      if (!is_there && copies[value] != 0) return "a value is there that nobody inserted";
      if (copies[value] > 1) return "a value is there twice";
      if (is_there && copies[value] == 0) return "a value is lost";
    }
    return counts[0] == due[0] && counts[1] == due[1]
               ? nullptr
               : "containers have other numbers of values than the answers say";
  }
  [[nodiscard]] bool moves(std::size_t client) const {
    return all_[client * of_client_].kind >= move_ab;
  }

 private:
  unsigned of_client_;
  std::size_t first_inserted_;  // values below are there at first
  std::vector<operation> all_;

  [[nodiscard]] bool is_insertion(std::size_t value) const {
    return all_[value - first_inserted_].kind <= insert_b;
  }
  bool take(std::vector<int>& copies, int value) const {
    if (value < 1 || static_cast<std::size_t>(value) >= values()) return false;
    const auto at = static_cast<std::size_t>(value);
    if (at >= first_inserted_ && !is_insertion(at)) return false;
    ++copies[at];
    return true;
  }
};

struct client_state {
  unsigned long long nanoseconds;
  unsigned done;  // operations
};

__device__ unsigned long long now() {
  unsigned long long nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  return nanoseconds;
}

template <class Pair>
constexpr bool has_moves = requires(Pair& pair) {
  pair.memory.changes.change(0);
}
|| requires(Pair& pair) { pair.lock_a; };

template <class Pair>
__device__ int carry_out(Pair& pair, const operation& what) {
  simt::maybe<int> taken;
  switch (what.kind) {
    case insert_a: pair.push_a(what.value); return 0;
    case insert_b: pair.push_b(what.value); return 0;
    case remove_a: taken = pair.pop_a(); break;
    case remove_b: taken = pair.pop_b(); break;
    default:
      if constexpr (has_moves<Pair>)
        return what.kind == move_ab ? pair.move_ab() : pair.move_ba();
      else
        return 0;
  }
  return taken ? *taken : 0;
}

template <class Pair>
__global__ void begin(Pair* pair) {
  if (threadIdx.x == 0) pair->init();
}
template <class Pair>
__global__ void fill(Pair* pair) {
  if (threadIdx.x != 0) return;
  measured::this_client().goes_on = false;
  for (unsigned i = 0; i < filled; ++i) {
    const int value = static_cast<int>(2 * (blockIdx.x * filled + i)) + 1;
    pair->push_a(value);
    pair->push_b(value + 1);
  }
}
/// One thread of each block carries out the client's operations.
template <class Pair>
__global__ void carry_out_all(Pair* pair, const operation* all, unsigned each, int* answers,
                              client_state* clients, volatile int* is_over) {
  if (threadIdx.x != 0) return;
  measured::this_client().goes_on = false;
  const unsigned long long begin = now();
  unsigned done = 0;
  for (int stops = 0; done < each && stops == 0; ++done) {
    const unsigned number = blockIdx.x * each + done;
    answers[number] = carry_out(*pair, all[number]);
    stops = *is_over;  // arrives during the pause
    measured::wait_cycles(all[number].pause);
  }
  *is_over = 1;
  clients[blockIdx.x] = {now() - begin, done};
}
template <class Pair>
__global__ void take_all(Pair* pair, int* left, unsigned most) {
  if (threadIdx.x != 0) return;
  measured::this_client().goes_on = false;
  unsigned at = 0;
  for (int container = 0; container < 2; ++container) {
    int value = 1;
    while (value != 0 && at < most) {
      value = carry_out(*pair, {container == 0 ? remove_a : remove_b, 0, 0});
      left[at++] = value;
    }
  }
}

template <class Pair>
class on_gpu {
 public:
  explicit on_gpu(const building::options& run) : run_(run), given_(run) {
    building::options shape = run;
    shape.threads = 1;  // a thread's number is its client's
    building::set_shape(shape);
    operations_.send(given_.all().data());
    fresh_.send(std::make_unique<Pair>().get());
    begin<<<1, 32>>>(fresh_.there());
    fill<<<run_.blocks, 32>>>(fresh_.there());
    building::require(cudaDeviceSynchronize(), "first values");
  }

  void clear() {
    pair_.copy(fresh_);
    const std::vector<int> none(given_.all().size(), not_done);
    answers_.send(none.data());
    const int goes_on = 0;
    is_over_.send(&goes_on);
  }
  void build() {
    carry_out_all<<<run_.blocks, run_.threads>>>(pair_.there(), operations_.there(), run_.amount,
                                                 answers_.there(), clients_.there(),
                                                 is_over_.there());
  }
  [[nodiscard]] const char* what_is_wrong() {
    std::vector<int> answers(given_.all().size()), left(given_.values() + 2);
    left_.send(left.data());
    take_all<<<1, 32>>>(pair_.there(), left_.there(), static_cast<unsigned>(left.size()));
    answers_.fetch(answers.data());
    left_.fetch(left.data());
    count();
    return given_.what_is_wrong(answers, left);
  }
  [[nodiscard]] double part_done() const { return part_done_; }
  [[nodiscard]] double counted() const { return rates_ == 0 ? 0 : sum_of_rates_ / rates_; }

 private:
  const building::options& run_;
  given_operations given_;
  int launches_ = 0;
  double sum_of_rates_ = 0, rates_ = 0;
  double part_done_ = 1;  // of the last launch
  building::device_memory<Pair> fresh_{1}, pair_{1};
  building::device_memory<operation> operations_{given_.all().size()};
  building::device_memory<int> answers_{given_.all().size()}, left_{given_.values() + 2};
  building::device_memory<client_state> clients_{run_.blocks};
  building::device_memory<int> is_over_{1};

  void count() {
    std::vector<client_state> clients(run_.blocks);
    clients_.fetch(clients.data());
    double done = 0, all = 0;
    const bool counts = launches_++ > 0;  // the first does not
    for (std::size_t i = 0; i < clients.size(); ++i) {
      const client_state& client = clients[i];
      const double weight = given_.moves(i) ? 2 : 1;
      done += weight * client.done;
      all += weight * run_.amount;
      if (!counts || given_.moves(i) || client.nanoseconds == 0) continue;
      sum_of_rates_ += client.done * 1e6 / static_cast<double>(client.nanoseconds);
      ++rates_;
    }
    part_done_ = done / all;
  }
};

/// The choice of what is measured.
struct measured_pair {
  const building::options& run;
  std::string device;
  std::string containers = workload(run.workload).containers;

  template <template <class, class, class> class Pair, class Backoff, class Queue, class Stack>
  void of(const std::string& subject) const {
    if (run.subject != subject) return;
    if (containers == "queue_queue")
      building::measure<on_gpu<Pair<Queue, Queue, Backoff>>>(run, device);
    if (containers == "queue_stack")
      building::measure<on_gpu<Pair<Queue, Stack, Backoff>>>(run, device);
    building::measure<on_gpu<Pair<Stack, Stack, Backoff>>>(run, device);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const building::room limits{"hardware/move.cu", "",          0, "--operations",
                              most_operations,    move_clients};
  building::options defaults;
  defaults.subject = "dcas";
  defaults.workload = "queue_queue_50_high";
  defaults.places = 1;
  defaults.amount = 512;
  defaults.blocks = 16;
  defaults.threads = 32;
  const building::options run = building::parse(argc, argv, limits, defaults);
  const workload what(run.workload);
  if (!what.is_known())
    building::wrong_use(limits, "there is no workload \"" + run.workload + "\"");
  if (run.subject.compare(0, 7, "unready") == 0 && what.percent != 0)
    building::wrong_use(limits, "\"" + run.subject + "\" cannot move");
  const measured_pair all{run, building::find_device()};
  using measured::at_once, measured::doubled_pauses;
  using measured::plain_queue, measured::plain_stack;
  all.of<measured::ready, at_once, movable_queue, movable_stack>("dcas");
  all.of<measured::ready, doubled_pauses, movable_queue, movable_stack>("dcas_backoff");
  all.of<measured::locked, at_once, plain_queue, plain_stack>("locked");
  all.of<measured::locked, doubled_pauses, plain_queue, plain_stack>("locked_backoff");
  all.of<measured::unready, at_once, movable_queue, movable_stack>("unready");
  all.of<measured::unready, doubled_pauses, movable_queue, movable_stack>("unready_backoff");
  building::wrong_use(limits, "there is no subject \"" + run.subject + "\"");
}
