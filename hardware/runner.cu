// Runs one subject on a GPU, once or many times, and says how it ended. Linked with the subject,
// which nvcc includes first; the folder of the API is sim/include:
//
//   nvcc -std=c++20 -arch=native -I<API> -include algorithms/locks/tas.hpp hardware/runner.cu
//   -o run_tas
//
// usage: run_tas --list [PTX]
//        run_tas [options]
//   --subject NAME          the type given to SIMT_SUBJECT; may be left out where there is only one
//   --workload NAME         "counter", "kernel", ...; may be left out where the subject fits one
//   --clients lane|warp|block   who runs it: all lanes, or lane 0 of each warp or block (lane)
//   --blocks N              (1)
//   --cluster N             blocks of a cluster (1)
//   --cooperative yes       the launch promises that all blocks are resident
//   --lanes N[,N...]        lanes of each warp of a block, one number for each warp (1)
//   --repeat N              (1)
//   --array NAME=ELEMENTS   size of a device array (one element for each thread); repeatable
//   --values NAME=V[,V...]  what its first elements are at first (0); repeatable, the next ones
//   --rounds N              launches (or programs of several), each with everything as at first (1)
//   --seed N                of what is left to chance: the first round has this number, the next
//                           ones those that follow; 1 or more (1)
//   --choose THREAD=V[,V...]   what a thread's first calls of choose() return, in each round; the
//                           seed decides the others; repeatable
//   --delays 1              with -DSIMT_DELAYS: in rounds with an even number, atomic accesses
//                           wait now and then
//   --budget SECONDS        begin no further round after so long (never)
//   --ptx FILE              kernels that the driver compiles: for .target sm_60 the GPU schedules
//                           as those before Volta (default: as compiled by nvcc)
//   --jit N                 how much it optimizes, 0 to 4 (0; from 1 on it may delete loops)
//   --deadline SECONDS      after which a round counts as hanging (5)
//   --timed 1               measure each round of a workload; end with the first that goes wrong
// and for the workload "operations":
//   --operations THREAD=OP[:A[:B[:C]]][,OP...]   what a thread of the grid does; repeatable
//   --initial OP[:A[:B[:C]]][,OP...]             what is done before
// where each thread waits a little before each operation, in each round differently.
//
// Prints one line of JSON on stdout:
//   {"device": "NVIDIA H200", "subject": "tas", "workload": "counter", "rounds": {"finished": 100},
//    "outcome": "finished", "message": "", "seconds": 0.00012, "usable": true}
// "rounds" counts rounds by outcome. "outcome" and "message" are those of the first round that did
// not finish. Where threads chose in it (`simt::choose`), "round" is its number, and "choices" has
// what each thread chose, by its number: {"0": [1, 0]}. --seed with that number and one round
// repeats them. "seconds" is the time of the longest round that did not hang. If "usable" is false,
// the process can launch nothing more. With operations, "histories" is an array of {"count",
// "events"}: each different history of the rounds that finished, with events as in
// docs/histories.md. It has the "round" and "choices" of its first one, likewise. With --timed,
// "times" is an array of seconds: the kernel's time in each round, on the GPU's clock. outcome:
//   finished      all lanes exited and the final check holds
//   check-failed  all lanes exited and the final check does not hold; message says why
//   assertion     simt::check failed; message is its message
//   hang          not done at the deadline; the last round
//   device-error  CUDA reported an error, such as an illegal address, and message is CUDA's; or
//                 the object was written behind its end. The last round
// --list prints a JSON array of {"subject", "workload"} instead and needs no GPU; with a file, of
// those that the file has kernels for.
//
// Exit status: 0 with any outcome; 2 wrong use; 4 a CUDA error before or after the run; 77 no GPU.
//
// A kernel that hangs ends with this process, which leaves by _exit without waiting for it.
#include <simt/detail/element.hpp>
#include <simt/simt.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "kernels.hpp"
#include "runner_options.hpp"

// A named namespace: the subject's own names are in the global one.
namespace gpu_runner {

void require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(4);
}

namespace {

using simt::detail::client_kind;
using simt::detail::gpu_operation;
using simt::detail::launch_shape;
using simt::detail::run_record;

constexpr int exit_no_gpu = 77;

/// A device array: where the object keeps its pointer, and its elements on both sides.
struct array_storage {
  void* place;
  void* host;
  void* device;
  std::size_t bytes;
};

// The subject's registration and construction fill these variables. They have no other way to pass
// data to the runner.
std::vector<const gpu_entry*>& entries() {
  static std::vector<const gpu_entry*> all;
  return all;
}
std::vector<array_storage>& arrays() {
  static std::vector<array_storage> all;
  return all;
}
options& chosen() {
  static options all;
  return all;
}

/// Fills an array's host side as --values says.
void set_values(void* array, const char* name, std::size_t size, std::size_t count,
                simt::detail::element_kind kind) {
  const auto given = chosen().values.find(name);
  if (given == chosen().values.end()) return;
  const std::vector<long long>& values = given->second;
  if (values.size() > count)
    wrong_use("--values gives " + std::string(name) + " more values than it has elements");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!simt::detail::element_holds(kind, size, values[i]))
      wrong_use(std::string(name) + " cannot hold " + std::to_string(values[i]));
    simt::detail::set_element(static_cast<unsigned char*>(array) + i * size, size, values[i]);
  }
}

const gpu_entry& find_entry(const options& run) {
  const gpu_entry* found = nullptr;
  for (const gpu_entry* each : entries()) {
    if (!run.subject.empty() && run.subject != each->entry.name) continue;
    if (!run.workload.empty() && run.workload != each->entry.workload) continue;
    if (found != nullptr)
      wrong_use("several entries fit; choose by --subject and --workload (--list shows them)");
    found = each;
  }
  if (found == nullptr) wrong_use("no such subject and workload here (--list shows what there is)");
  return *found;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      result += escape;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

/// Seconds, to the nanosecond.
std::string decimal(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9f", seconds);
  return text;
}

/// Lists subjects and workloads. `file`: PTX that must have kernels for them, or empty.
void list(const std::string& file) {
  const std::string ptx = file.empty() ? std::string() : content(file);
  std::string text;
  for (const gpu_entry* each : entries()) {
    if (!file.empty() && !kernels_in(ptx, *each).complete) continue;
    text += (text.empty() ? "" : ", ") + std::string("{\"subject\": ") + quoted(each->entry.name) +
            ", \"workload\": " + quoted(each->entry.workload) + "}";
  }
  std::printf("[%s]\n", text.c_str());
}

std::string device_name() {
  cudaDeviceProp properties;
  require(cudaGetDeviceProperties(&properties, 0), "device properties");
  return properties.name;
}

struct result {
  const char* outcome;
  std::string message;
  double seconds;
  std::string choices = {};  // a part of the report

  [[nodiscard]] bool is(const char* other) const { return std::strcmp(outcome, other) == 0; }
};

/// The results of all rounds.
struct tally {
  std::map<std::string, unsigned> rounds;  // how many, by outcome
  result first{"finished", "", 0};         // that did not finish
  double longest = 0;                      // seconds; hangs left out
  bool usable = true;

  void add(const result& one) {
    ++rounds[one.outcome];
    if (!one.is("hang")) longest = std::max(longest, one.seconds);
    if (first.is("finished")) first = one;
  }
};

/// Ends without the runtime's clean-up, which would wait for a hanging kernel.
[[noreturn]] void report(const std::string& device, const gpu_entry& entry, const tally& all,
                         const std::string& more) {
  std::string rounds;
  for (const auto& [outcome, count] : all.rounds) {
    rounds += (rounds.empty() ? "" : ", ") + quoted(outcome) + ": " + std::to_string(count);
  }
  std::printf(
      "{\"device\": %s, \"subject\": %s, \"workload\": %s, \"rounds\": {%s}, \"outcome\": %s, "
      "\"message\": %s, \"seconds\": %.6f, \"usable\": %s%s}\n",
      quoted(device).c_str(), quoted(entry.entry.name).c_str(),
      quoted(entry.entry.workload).c_str(), rounds.c_str(), quoted(all.first.outcome).c_str(),
      quoted(all.first.message).c_str(), all.longest, all.usable ? "true" : "false",
      (all.first.choices + more).c_str());
  std::fflush(stdout);
  _exit(0);
}

run_record* make_record() {
  void* record = nullptr;
  require(cudaHostAlloc(&record, sizeof(run_record), cudaHostAllocMapped), "mapped host memory");
  std::memset(record, 0, sizeof(run_record));
  return static_cast<run_record*>(record);
}

/// What threads choose in a round.
class choices {
 public:
  /// `told`: what threads are told to choose, by thread.
  choices(unsigned threads, const std::map<unsigned, std::vector<unsigned>>& told)
      : threads_(threads) {
    require(cudaMalloc(&counts_, threads * sizeof(unsigned)), "device memory");
    require(cudaHostAlloc(&made_, bytes(), cudaHostAllocMapped), "mapped host memory");
    if (!told.empty()) tell(told);
  }

  /// Prepares a round.
  simt::detail::choice_record begin(unsigned number) {
    number_ = number;
    require(cudaMemset(counts_, 0, threads_ * sizeof(unsigned)), "device memory");
    std::memset(made_, 0, bytes());
    void* on_device = nullptr;
    require(cudaHostGetDevicePointer(&on_device, made_, 0), "mapped host memory");
    return {number, static_cast<unsigned*>(counts_), static_cast<unsigned*>(on_device),
            static_cast<const unsigned*>(told_)};
  }
  /// A part of the report, which may be asked for while the round hangs. Empty: nobody chose.
  [[nodiscard]] std::string json() const {
    const auto* made = static_cast<const volatile unsigned*>(made_);
    std::string text;
    for (unsigned thread = 0; thread < threads_; ++thread) {
      std::string own;
      for (unsigned i = 0; i < simt::detail::most_choices; ++i) {
        const unsigned one = made[thread * simt::detail::most_choices + i];
        if (one != 0) own += (own.empty() ? "" : ", ") + std::to_string(one - 1);
      }
      if (own.empty()) continue;
      text += (text.empty() ? "" : ", ") + quoted(std::to_string(thread)) + ": [" + own + "]";
    }
    if (text.empty()) return {};
    return ", \"round\": " + std::to_string(number_) + ", \"choices\": {" + text + "}";
  }

 private:
  unsigned threads_;
  unsigned number_ = 0;
  void* counts_ = nullptr;
  void* made_ = nullptr;
  void* told_ = nullptr;  // null: nobody is told anything

  [[nodiscard]] std::size_t bytes() const {
    return std::size_t{threads_} * simt::detail::most_choices * sizeof(unsigned);
  }

  void tell(const std::map<unsigned, std::vector<unsigned>>& told) {
    std::vector<unsigned> all(bytes() / sizeof(unsigned));
    for (const auto& [thread, values] : told) {
      if (thread >= threads_) wrong_use("--choose names a thread that the grid has not");
      for (std::size_t i = 0; i < values.size() && i < simt::detail::most_choices; ++i)
        all[thread * simt::detail::most_choices + i] = values[i] + 1;
    }
    require(cudaMalloc(&told_, bytes()), "device memory");
    require(cudaMemcpy(told_, all.data(), bytes(), cudaMemcpyHostToDevice), "told choices");
  }
};

/// Sets the launch parameters of one round.
void set_parameters(const options& run, unsigned number, run_record* record, choices& chosen,
                    kernels& code) {
  launch_parameters parameters{};
  unsigned first = 0;
  for (std::size_t warp = 0; warp < run.lanes.size(); ++warp) {
    parameters.lanes[warp] = run.lanes[warp];
    parameters.first_lane[warp] = first;
    first += run.lanes[warp];
  }
  parameters.block_threads = first;
  parameters.clients = run.clients;
  parameters.delays = run.delays && number % 2 == 0 ? number : 0;
  void* on_device = nullptr;
  require(cudaHostGetDevicePointer(&on_device, record, 0), "mapped host memory");
  parameters.record = static_cast<run_record*>(on_device);
  parameters.choices = chosen.begin(number);
  code.set_launch(parameters);
}

void allocate_arrays() {
  for (array_storage& array : arrays()) {
    require(cudaMalloc(&array.device, array.bytes), "device array");
  }
}

/// The subject's bytes. The pointers of its device arrays lead to the device.
std::vector<unsigned char> device_image(const unsigned char* object, std::size_t size) {
  std::vector<unsigned char> image(object, object + size);
  for (const array_storage& array : arrays()) {
    const std::size_t offset =
        static_cast<std::size_t>(static_cast<unsigned char*>(array.place) - object);
    std::memcpy(&image[offset], &array.device, sizeof array.device);
  }
  return image;
}

/// Copies the object, and what its arrays hold on the host, to the device.
void copy_there(void* device, const std::vector<unsigned char>& image) {
  require(cudaMemcpy(device, image.data(), image.size(), cudaMemcpyHostToDevice),
          "copying the object");
  for (const array_storage& array : arrays()) {
    require(cudaMemcpy(array.device, array.host, array.bytes, cudaMemcpyHostToDevice),
            "device array");
  }
}

// The size of the zeros behind the object, where no kernel may write.
constexpr std::size_t guard_bytes = 1 << 20;

/// Whether a kernel wrote behind the object. Objects with an element for each thread may be too
/// small for the grid.
bool is_written(const void* object, std::size_t size) {
  std::vector<unsigned char> guard(guard_bytes);
  require(cudaMemcpy(guard.data(), static_cast<const unsigned char*>(object) + size, guard_bytes,
                     cudaMemcpyDeviceToHost),
          "guard");
  return std::any_of(guard.begin(), guard.end(), [](unsigned char c) { return c != 0; });
}

/// The initial content of the host's arrays, which copy_back overwrites. The next round needs it.
class first_arrays {
 public:
  first_arrays() {
    for (const array_storage& array : arrays()) {
      const auto* bytes = static_cast<unsigned char*>(array.host);
      contents_.emplace_back(bytes, bytes + array.bytes);
    }
  }
  void restore() const {
    for (std::size_t i = 0; i < contents_.size(); ++i)
      std::memcpy(arrays()[i].host, contents_[i].data(), contents_[i].size());
  }

 private:
  std::vector<std::vector<unsigned char>> contents_;
};

/// Copies object and arrays back to the host, for the final check.
void copy_back(unsigned char* object, const void* device, std::size_t size) {
  require(cudaMemcpy(object, device, size, cudaMemcpyDeviceToHost), "copying the object back");
  for (const array_storage& array : arrays()) {
    require(cudaMemcpy(array.host, array.device, array.bytes, cudaMemcpyDeviceToHost),
            "copying an array back");
    std::memcpy(array.place, &array.host, sizeof array.host);
  }
}

using seconds = std::chrono::duration<double>;

/// Asks lanes to leave at their next repetition. Lanes that spin for ever end with this process.
void abort(run_record* record) { *static_cast<volatile int*>(&record->abort) = 1; }

/// Waits for the work on the stream. Never waits longer than the deadline.
result wait(std::chrono::steady_clock::time_point start, cudaEvent_t end, run_record* record,
            double deadline) {
  const auto* failed = static_cast<volatile int*>(&record->failed);
  for (;;) {
    const cudaError_t status = cudaEventQuery(end);
    const double passed = seconds(std::chrono::steady_clock::now() - start).count();
    if (*failed != 0) return {"assertion", record->message, passed};
    if (status == cudaSuccess) return {"finished", "", passed};
    if (status != cudaErrorNotReady) return {"device-error", cudaGetErrorString(status), passed};
    if (passed >= deadline) break;
    std::this_thread::sleep_for(std::chrono::microseconds(passed < 0.01 ? 20 : 1000));
  }
  abort(record);
  return {"hang", "", deadline};
}

/// Whether the other lanes leave soon after a failed assertion.
bool is_over(cudaEvent_t end, run_record* record) {
  abort(record);
  for (unsigned i = 0; i < 100; ++i) {
    const cudaError_t status = cudaEventQuery(end);
    if (status != cudaErrorNotReady) return status == cudaSuccess;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

/// The operations that threads carry out on the object, and the histories of all rounds.
class recorder {
 public:
  recorder(const options& run, const gpu_entry& entry, kernels& code)
      : entry_(entry),
        code_(code),
        threads_(run.blocks * block_threads(run)),
        clients_(client_count(run)) {
    before_.add(entry.entry, run.initial);
    for (unsigned thread = 0; thread < threads_; ++thread) {
      const auto given = run.operations.find(thread);
      during_.add(entry.entry, given == run.operations.end() ? std::string() : given->second);
    }
    if (!run.operations.empty() && run.operations.rbegin()->first >= threads_)
      wrong_use("--operations names a thread that the grid has not");
    require(cudaMalloc(&ticket_, sizeof(unsigned long long)), "device memory");
    require(cudaMalloc(&arrived_, sizeof(unsigned)), "device memory");
  }

  /// Prepares a round. One lane makes the initial content first. Then it is the threads' turn.
  void begin(unsigned seed) {
    require(cudaMemset(ticket_, 0, sizeof(unsigned long long)), "device memory");
    require(cudaMemset(arrived_, 0, sizeof(unsigned)), "device memory");
    const history_record both[]{make_ready(before_, 1, 0), make_ready(during_, clients_, seed)};
    code_.set_histories(both, 0);
  }
  /// Keeps the history of the round that has ended.
  void keep(const std::string& chosen) {
    std::map<unsigned long long, std::string> events;  // by ticket
    collect(before_, true, events);
    collect(during_, false, events);
    std::string all;
    for (const auto& [ticket, text] : events) all += (all.empty() ? "" : ", ") + text;
    history& one = seen_[all];
    if (one.count++ == 0) one.choices = chosen;
  }
  /// A part of the report. Empty: no thread has an operation.
  [[nodiscard]] std::string json() const {
    if (seen_.empty()) return {};
    std::string text;
    for (const auto& [events, one] : seen_) {
      text += (text.empty() ? "" : ", ") + std::string("{\"count\": ") + std::to_string(one.count) +
              one.choices + ", \"events\": [" + events + "]}";
    }
    return ", \"histories\": [" + text + "]";
  }

 private:
  /// The operations of some threads, on the host and on the device.
  struct turn {
    std::vector<gpu_operation> operations;
    std::vector<unsigned> first{0};
    gpu_operation* on_device = nullptr;
    unsigned* first_on_device = nullptr;
    unsigned* calls = nullptr;

    /// Adds the operations of one more thread.
    void add(const simt::detail::subject_entry& entry, const std::string& list) {
      if (!list.empty()) {
        for (const std::string& each : split(list, ',')) operations.push_back(one(entry, each));
      }
      first.push_back(static_cast<unsigned>(operations.size()));
    }

   private:
    static gpu_operation one(const simt::detail::subject_entry& entry, const std::string& text) {
      const std::vector<std::string> parts = split(text, ':');
      gpu_operation made{};
      while (made.operation < entry.operation_count &&
             parts[0] != entry.operations[made.operation].name) {
        ++made.operation;
      }
      if (made.operation == entry.operation_count || parts.size() > 4)
        wrong_use("the subject has no operation \"" + text + "\"");
      for (std::size_t i = 1; i < parts.size(); ++i) {
        char* end = nullptr;
        made.arguments[i - 1] =
            static_cast<unsigned long long>(std::strtoll(parts[i].c_str(), &end, 10));
        if (parts[i].empty() || *end != 0) wrong_use("no argument: \"" + parts[i] + "\"");
      }
      return made;
    }
  };

  const gpu_entry& entry_;
  kernels& code_;
  unsigned threads_;
  unsigned clients_;
  turn before_, during_;
  unsigned long long* ticket_ = nullptr;
  unsigned* arrived_ = nullptr;
  struct history {
    unsigned count = 0;
    std::string choices;  // of the first round that had it, as a part of the report
  };
  std::map<std::string, history> seen_;  // by events

  history_record make_ready(turn& t, unsigned clients, unsigned seed) {
    const std::size_t bytes = (t.operations.size() + 1) * sizeof(gpu_operation);
    const std::size_t numbers = t.first.size() * sizeof(unsigned);
    if (t.on_device == nullptr) {
      require(cudaMalloc(&t.on_device, bytes), "device memory");
      require(cudaMalloc(&t.first_on_device, numbers), "device memory");
      require(cudaMalloc(&t.calls, numbers), "device memory");
      require(cudaMemcpy(t.first_on_device, t.first.data(), numbers, cudaMemcpyHostToDevice),
              "operations");
    }
    require(cudaMemset(t.calls, 0, numbers), "operations");
    require(cudaMemcpy(t.on_device, t.operations.data(), bytes - sizeof(gpu_operation),
                       cudaMemcpyHostToDevice),
            "operations");
    return {t.on_device, t.first_on_device, t.calls, ticket_, arrived_, clients, seed};
  }

  void collect(const turn& t, bool initial, std::map<unsigned long long, std::string>& events) {
    if (t.operations.empty()) return;
    std::vector<gpu_operation> done(t.operations.size());
    require(cudaMemcpy(done.data(), t.on_device, done.size() * sizeof(gpu_operation),
                       cudaMemcpyDeviceToHost),
            "copying operations back");
    for (std::size_t thread = 0; thread + 1 < t.first.size(); ++thread) {
      const std::string client =
          "\"client\": " + (initial ? std::string("\"initial\"") : std::to_string(thread));
      for (unsigned i = t.first[thread]; i < t.first[thread + 1]; ++i) {
        const auto& kind = entry_.entry.operations[done[i].operation];
        if (done[i].called != 0) events[done[i].called] = call_event(client, kind, done[i]);
        if (done[i].returned != 0) events[done[i].returned] = return_event(client, kind, done[i]);
      }
    }
  }

  using operation_entry = simt::detail::operation_entry;
  static std::string call_event(const std::string& client, const operation_entry& kind,
                                const gpu_operation& what) {
    std::string arguments;
    for (unsigned i = 0; i < kind.arguments; ++i) {
      arguments += (i == 0 ? "" : ", ") + std::to_string(static_cast<long long>(what.arguments[i]));
    }
    return "{\"event\": \"call\", " + client + ", \"op\": " + quoted(kind.name) + ", \"args\": [" +
           arguments + "]}";
  }
  static std::string return_event(const std::string& client, const operation_entry& kind,
                                  const gpu_operation& what) {
    using result = operation_entry::result;
    std::string value = std::to_string(static_cast<long long>(what.value));
    if (kind.returns == result::boolean) value = what.value != 0 ? "true" : "false";
    if (kind.returns == result::maybe && !what.is_some) value = "null";
    return "{\"event\": \"return\", " + client +
           (kind.returns == result::nothing ? "" : ", \"result\": " + value) + "}";
  }
};

struct storage {
  void* place;
  std::size_t bytes;
};
/// Storage of at least `size` bytes for an object of that alignment.
storage aligned_storage(std::size_t size, std::size_t align) {
  const std::size_t step = std::max<std::size_t>(align, 64);
  const std::size_t bytes = (size + step - 1) / step * step;
  return {std::aligned_alloc(step, bytes), bytes};
}

std::unique_ptr<kernels> code_of(const options& run, const gpu_entry& entry) {
  if (run.ptx.empty()) return std::make_unique<compiled_kernels>(entry);
  return std::make_unique<ptx_kernels>(entry, run.ptx, run.jit);
}

/// One subject, ready to be launched again and again.
class launcher {
 public:
  launcher(const options& run, const gpu_entry& entry)
      : run_(run),
        entry_(entry),
        size_(entry.entry.size),
        object_(static_cast<unsigned char*>(aligned_storage(size_, entry.entry.align).place)) {
    entry.entry.construct(object_);
    allocate_arrays();
    image_ = device_image(object_, size_);
    at_first_ = std::make_unique<first_arrays>();
    require(cudaMalloc(&on_device_, size_ + guard_bytes), "device memory");
    clear_guard();
    record_ = make_record();
    choices_ = std::make_unique<choices>(run.blocks * block_threads(run), run.choices);
    code_ = code_of(run, entry);
    histories_ = std::make_unique<recorder>(run, entry, *code_);
    require(cudaEventCreate(&begin_), "event");
    require(cudaEventCreate(&end_), "event");
  }

  /// Carries out all rounds, or as many as possible.
  tally launch_all() {
    const auto start = std::chrono::steady_clock::now();
    tally all;
    for (unsigned i = 0; i < run_.rounds && all.usable; ++i) {
      if (i != 0 && run_.budget > 0 && since(start) >= run_.budget) break;
      result one = round(run_.seed + i);
      if (!one.is("finished")) one.choices = choices_->json();
      all.usable = one.is("finished") || one.is("check-failed") ||
                   (one.is("assertion") && is_over(end_, record_));
      all.add(one);
      if (run_.timed && !one.is("finished")) break;
      if (!one.is("finished") && all.usable) std::memset(record_, 0, sizeof(run_record));
    }
    if (all.usable && !run_.timed && is_written(on_device_, size_)) {
      all.add({"device-error", written_behind, 0});
      all.usable = false;
    }
    return all;
  }

  /// A part of the report.
  [[nodiscard]] std::string json() const {
    return histories_->json() + (run_.timed ? ", \"times\": [" + times_ + "]" : "");
  }

 private:
  static constexpr const char* written_behind =
      "the object writes behind its end: it may be made for fewer threads";

  const options& run_;
  const gpu_entry& entry_;
  std::size_t size_;
  unsigned char* object_;
  std::vector<unsigned char> image_;
  std::unique_ptr<first_arrays> at_first_;
  void* on_device_ = nullptr;
  run_record* record_ = nullptr;
  std::unique_ptr<choices> choices_;
  std::unique_ptr<kernels> code_;
  std::unique_ptr<recorder> histories_;
  cudaEvent_t begin_{}, end_{};
  std::string times_;

  static double since(std::chrono::steady_clock::time_point start) {
    return seconds(std::chrono::steady_clock::now() - start).count();
  }

  void clear_guard() {
    require(cudaMemset(static_cast<unsigned char*>(on_device_) + size_, 0, guard_bytes), "guard");
  }

  result round(unsigned number) {
    const bool has_operations = entry_.entry.operation_count != 0;
    copy_there(on_device_, image_);
    if (run_.timed) clear_guard();
    set_parameters(run_, number, record_, *choices_, *code_);
    if (has_operations) histories_->begin(number);
    const auto start = std::chrono::steady_clock::now();
    code_->init(on_device_);
    if (run_.timed) require(cudaEventRecord(begin_), "event");
    result one = launch_until_over(start);
    if (one.is("finished")) check(one);
    at_first_->restore();
    if (has_operations && one.is("finished")) histories_->keep(choices_->json());
    if (run_.timed && one.is("finished")) keep_time();
    return one;
  }

  /// Launches once, or again as long as the host's next_launch() asks for it. If all launches
  /// finish, memory is on the host.
  result launch_until_over(std::chrono::steady_clock::time_point start) {
    const auto next_launch = entry_.entry.next_launch;
    for (unsigned launch = 0;; ++launch) {
      code_->launch(
          on_device_, next_launch != nullptr ? launch : run_.repeat,
          {run_.blocks, static_cast<unsigned>(run_.lanes.size()), run_.cluster, run_.cooperative});
      require(cudaEventRecord(end_), "event");
      const result one = wait(start, end_, record_, run_.deadline);
      if (!one.is("finished")) return one;
      copy_back(object_, on_device_, size_);
      if (next_launch == nullptr || !next_launch(object_, launch + 1)) return one;
      copy_there(on_device_, device_image(object_, size_));
    }
  }

  void check(result& of) {
    const launch_shape shape{run_.blocks, run_.blocks * block_threads(run_), client_count(run_),
                             run_.repeat};
    if (const char* message = entry_.entry.check(object_, shape)) {
      of.outcome = "check-failed";
      of.message = message;
    } else if (run_.timed && is_written(on_device_, size_)) {
      of.outcome = "check-failed";
      of.message = written_behind;
    }
  }

  void keep_time() {
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin_, end_), "event");
    times_ += (times_.empty() ? "" : ", ") + decimal(milliseconds / 1e3);
  }
};

void run(const options& run) {
  const gpu_entry& entry = find_entry(run);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "no GPU here\n");
    std::exit(exit_no_gpu);
  }
  const std::string device = device_name();
  launcher subject(run, entry);
  const tally all = subject.launch_all();
  report(device, entry, all, subject.json());
}

}  // namespace
}  // namespace gpu_runner

namespace simt::detail {

void register_gpu_entry(const gpu_entry* entry) { gpu_runner::entries().push_back(entry); }

void* allocate_array_storage(void* place, const char* name, std::size_t size, std::size_t align,
                             element_kind kind, std::size_t* count) {
  const auto given = gpu_runner::chosen().arrays.find(name);
  *count = given != gpu_runner::chosen().arrays.end()
               ? given->second
               : std::size_t{gpu_runner::chosen().blocks} *
                     gpu_runner::block_threads(gpu_runner::chosen());
  const auto [host, bytes] = gpu_runner::aligned_storage(*count * size, align);
  std::memset(host, 0, bytes);
  gpu_runner::set_values(host, name, size, *count, kind);
  gpu_runner::arrays().push_back({place, host, nullptr, bytes});
  return host;
}

}  // namespace simt::detail

int main(int argc, char** argv) {
  if (argc >= 2 && argc <= 3 && std::strcmp(argv[1], "--list") == 0) {
    gpu_runner::list(argc == 3 ? argv[2] : "");
    return 0;
  }
  gpu_runner::chosen() = gpu_runner::parse(argc, argv);
  gpu_runner::run(gpu_runner::chosen());
}
