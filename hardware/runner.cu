// Runs one subject once on a GPU and says how it ended. Linked with the subject, which nvcc
// includes first; the folder of the API is sim/include:
//
//   nvcc -std=c++20 -arch=native -I<API> -include algorithms/locks/tas.hpp hardware/runner.cu -o
//   run_tas
//
// usage: run_tas --list [PTX]
//        run_tas [options]
//   --subject NAME          the type given to SIMT_SUBJECT; may be left out where there is only one
//   --workload NAME         "counter", "kernel", ...; may be left out where the subject fits one
//   --clients lane|warp|block   who runs it: all lanes, or lane 0 of each warp or block (lane)
//   --blocks N              (1)
//   --lanes N[,N...]        lanes of each warp of a block, one number for each warp (1)
//   --repeat N              (1)
//   --array NAME=ELEMENTS   size of a device array (one element for each thread); repeatable
//   --values NAME=V[,V...]  what its first elements are at first (0); repeatable, the next ones
//   --delays N              with -DSIMT_DELAYS: atomic accesses wait now and then; N: a seed
//   (never)
//   --ptx FILE              kernels that the driver compiles: for .target sm_60 the GPU schedules
//   as
//                           those before Volta (default: as compiled by nvcc)
//   --jit N                 how much it optimizes, 0 to 4 (0; from 1 on it may delete loops)
//   --deadline SECONDS      after which a run counts as hanging (5)
//   --timed 1               measure each of --rounds launches of a workload, and check each
// and for the workload "operations":
//   --operations THREAD=OP[:A[:B[:C]]][,OP...]   what a thread of the grid does; repeatable
//   --initial OP[:A[:B[:C]]][,OP...]             what is done before
//   --rounds N              so often, from the beginning each time, or until a round fails (1);
//                           also with --timed
//   --seed N                of the waits before operations, 1 or more; each round has others (1)
//
// Prints one line of JSON on stdout:
//   {"device": "NVIDIA H200", "subject": "tas", "workload": "counter", "outcome": "finished",
//    "message": "", "seconds": 0.00012}
// With operations, "histories" is an array of {"count", "events"}: those of all rounds that
// finished, equal ones once, their events as docs/histories.md says. With --timed, "times" is an
// array of seconds: what the kernel took in each round, on the GPU's clock. outcome:
//   finished      all lanes exited and the final check holds
//   check-failed  all lanes exited and the final check does not hold; message says why
//   assertion     simt::check failed; message is its message
//   hang          not done at the deadline
//   device-error  CUDA reported an error, such as an illegal address; message is CUDA's
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

constexpr int exit_usage = 2;
constexpr int exit_no_gpu = 77;

struct options {
  std::string subject;
  std::string workload;
  client_kind clients = client_kind::lane;
  unsigned blocks = 1;
  std::vector<unsigned> lanes{1};
  unsigned repeat = 1;
  std::map<std::string, std::size_t> arrays;
  std::map<std::string, std::vector<long long>> values;  // of arrays
  std::map<unsigned, std::string> operations;            // by thread
  std::string initial;
  unsigned rounds = 1;
  unsigned seed = 1;
  unsigned delays = 0;
  std::string ptx;  // empty: as compiled by nvcc
  unsigned jit = 0;
  bool timed = false;
  double deadline = 5;
};

/// A device array: where the object keeps its pointer, and its elements on both sides.
struct array_storage {
  void* place;
  void* host;
  void* device;
  std::size_t bytes;
};

// Filled by the subject's registration and construction, which have no other way to reach us.
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

[[noreturn]] void wrong_use(const std::string& message) {
  std::fprintf(stderr, "%s; the top of hardware/runner.cu has the usage\n", message.c_str());
  std::exit(exit_usage);
}

unsigned block_threads(const options& run) {
  unsigned sum = 0;
  for (const unsigned lanes : run.lanes) sum += lanes;
  return sum;
}

unsigned client_count(const options& run) {
  switch (run.clients) {
    case client_kind::lane: return run.blocks * block_threads(run);
    case client_kind::warp: return run.blocks * static_cast<unsigned>(run.lanes.size());
    case client_kind::block: return run.blocks;
  }
  return 0;
}

unsigned long number(const std::string& option, const std::string& text, unsigned long most,
                     unsigned long least = 1) {
  char* end = nullptr;
  const unsigned long value = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || *end != 0 || text[0] == '-' || value < least || value > most) {
    wrong_use(option + " takes a number from " + std::to_string(least) + " to " +
              std::to_string(most) + ", not \"" + text + "\"");
  }
  return value;
}

std::vector<unsigned> lane_list(const std::string& text) {
  std::vector<unsigned> lanes;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    lanes.push_back(
        static_cast<unsigned>(number("--lanes", text.substr(begin, comma - begin), 32)));
    begin = comma + 1;
  }
  if (lanes.size() > simt::detail::max_warps) wrong_use("a block has at most 32 warps");
  return lanes;
}

client_kind clients_named(const std::string& text) {
  if (text == "lane") return client_kind::lane;
  if (text == "warp") return client_kind::warp;
  if (text == "block") return client_kind::block;
  wrong_use("--clients is lane, warp or block, not \"" + text + "\"");
}

void add_array(options& run, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) wrong_use("--array takes NAME=ELEMENTS, not \"" + text + "\"");
  run.arrays[text.substr(0, equals)] = number("--array", text.substr(equals + 1), 1UL << 30);
}

void add_values(options& run, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) wrong_use("--values takes NAME=V,V, not \"" + text + "\"");
  std::vector<long long>& values = run.values[text.substr(0, equals)];
  const char* at = text.c_str() + equals;  // at a separator
  do {
    char* end = nullptr;
    values.push_back(std::strtoll(at + 1, &end, 10));
    if (end == at + 1) wrong_use("--values takes NAME=V,V, not \"" + text + "\"");
    at = end;
  } while (*at == ',');
  if (*at != 0) wrong_use("--values takes NAME=V,V, not \"" + text + "\"");
}

void add_operations(options& run, const std::string& text) {
  const std::size_t equals = text.find('=');
  char* end = nullptr;
  const unsigned long thread = std::strtoul(text.c_str(), &end, 10);
  if (equals == std::string::npos || equals == 0 || end != text.c_str() + equals)
    wrong_use("--operations takes THREAD=OP,OP, not \"" + text + "\"");
  run.operations[static_cast<unsigned>(thread)] = text.substr(equals + 1);
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
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

options parse(int argc, char** argv) {
  options run;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) wrong_use(option + " needs a value");
    const std::string value = argv[i + 1];
    if (option == "--subject")
      run.subject = value;
    else if (option == "--workload")
      run.workload = value;
    else if (option == "--clients")
      run.clients = clients_named(value);
    else if (option == "--blocks")
      run.blocks = static_cast<unsigned>(number(option, value, 0x7fffffff));
    else if (option == "--lanes")
      run.lanes = lane_list(value);
    else if (option == "--repeat")
      run.repeat = static_cast<unsigned>(number(option, value, 0xffffffff));
    else if (option == "--array")
      add_array(run, value);
    else if (option == "--values")
      add_values(run, value);
    else if (option == "--delays")
      run.delays = static_cast<unsigned>(number(option, value, 0xffffffff));
    else if (option == "--operations")
      add_operations(run, value);
    else if (option == "--initial")
      run.initial = value;
    else if (option == "--rounds")
      run.rounds = static_cast<unsigned>(number(option, value, 1'000'000));
    else if (option == "--seed")
      run.seed = static_cast<unsigned>(number(option, value, 0xffffffff));
    else if (option == "--ptx")
      run.ptx = value;
    else if (option == "--jit")
      run.jit = static_cast<unsigned>(number(option, value, 4, 0));
    else if (option == "--timed")
      run.timed = number(option, value, 1) == 1;
    else if (option == "--deadline")
      run.deadline = std::atof(value.c_str());
    else
      wrong_use("unknown option " + option);
  }
  if (!(run.deadline > 0)) wrong_use("--deadline takes a number of seconds above 0");
  return run;
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

/// With nanoseconds.
std::string decimal(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9f", seconds);
  return text;
}

/// `file`: empty, or PTX.
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
};

/// Leaves without the runtime's clean-up, which would wait for a hanging kernel.
[[noreturn]] void report(const std::string& device, const gpu_entry& entry, const result& run,
                         const std::string& histories) {
  std::printf(
      "{\"device\": %s, \"subject\": %s, \"workload\": %s, \"outcome\": %s, \"message\": %s, "
      "\"seconds\": %.6f%s}\n",
      quoted(device).c_str(), quoted(entry.entry.name).c_str(),
      quoted(entry.entry.workload).c_str(), quoted(run.outcome).c_str(),
      quoted(run.message).c_str(), run.seconds, histories.c_str());
  std::fflush(stdout);
  _exit(0);
}

run_record* make_record() {
  void* record = nullptr;
  require(cudaHostAlloc(&record, sizeof(run_record), cudaHostAllocMapped), "mapped host memory");
  std::memset(record, 0, sizeof(run_record));
  return static_cast<run_record*>(record);
}

void set_parameters(const options& run, run_record* record, kernels& code) {
  launch_parameters parameters{};
  unsigned first = 0;
  for (std::size_t warp = 0; warp < run.lanes.size(); ++warp) {
    parameters.lanes[warp] = run.lanes[warp];
    parameters.first_lane[warp] = first;
    first += run.lanes[warp];
  }
  parameters.block_threads = first;
  parameters.clients = run.clients;
  parameters.delays = run.delays;
  void* on_device = nullptr;
  require(cudaHostGetDevicePointer(&on_device, record, 0), "mapped host memory");
  parameters.record = static_cast<run_record*>(on_device);
  code.set_launch(parameters);
}

/// The subject's bytes, with the pointers of its device arrays as the device has them.
std::vector<unsigned char> device_image(const unsigned char* object, std::size_t size) {
  std::vector<unsigned char> image(object, object + size);
  for (array_storage& array : arrays()) {
    require(cudaMalloc(&array.device, array.bytes), "device array");
    const std::size_t offset =
        static_cast<std::size_t>(static_cast<unsigned char*>(array.place) - object);
    std::memcpy(&image[offset], &array.device, sizeof array.device);
  }
  return image;
}

/// Everything on the device as it is at first.
void copy_there(void* device, const std::vector<unsigned char>& image) {
  require(cudaMemcpy(device, image.data(), image.size(), cudaMemcpyHostToDevice),
          "copying the object");
  for (const array_storage& array : arrays()) {
    require(cudaMemcpy(array.device, array.host, array.bytes, cudaMemcpyHostToDevice),
            "device array");
  }
}

// Zeros behind the object, which nobody has to write.
constexpr std::size_t guard_bytes = 1 << 20;

/// Whether somebody did. Objects with an element for each thread may have room for few.
bool is_written(const void* object, std::size_t size) {
  std::vector<unsigned char> guard(guard_bytes);
  require(cudaMemcpy(guard.data(), static_cast<const unsigned char*>(object) + size, guard_bytes,
                     cudaMemcpyDeviceToHost),
          "guard");
  return std::any_of(guard.begin(), guard.end(), [](unsigned char c) { return c != 0; });
}

/// What copy_back overwrites, for another round.
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

/// The other way, after the run, for the final check.
void copy_back(unsigned char* object, const void* device, std::size_t size) {
  require(cudaMemcpy(object, device, size, cudaMemcpyDeviceToHost), "copying the object back");
  for (const array_storage& array : arrays()) {
    require(cudaMemcpy(array.host, array.device, array.bytes, cudaMemcpyDeviceToHost),
            "copying an array back");
    std::memcpy(array.place, &array.host, sizeof array.host);
  }
}

using seconds = std::chrono::duration<double>;

/// Waits for what is on the stream. Never waits longer than the deadline.
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
  // Lanes that still come past their loop leave; those that spin for ever end with this process.
  *static_cast<volatile int*>(&record->abort) = 1;
  return {"hang", "", deadline};
}

/// What the threads do with the object, and the histories that came of it.
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

  /// Before a round. The initial content's turn comes first, on one lane; then that of the threads.
  void begin(unsigned seed) {
    require(cudaMemset(ticket_, 0, sizeof(unsigned long long)), "device memory");
    require(cudaMemset(arrived_, 0, sizeof(unsigned)), "device memory");
    const history_record both[]{make_ready(before_, 1, 0), make_ready(during_, clients_, seed)};
    code_.set_histories(both, 0);
  }
  /// After a round: keeps its history.
  void keep() {
    std::map<unsigned long long, std::string> events;  // by ticket
    collect(before_, true, events);
    collect(during_, false, events);
    std::string all;
    for (const auto& [ticket, text] : events) all += (all.empty() ? "" : ", ") + text;
    ++seen_[all];
  }
  /// A part of the report; empty: nobody has anything to do.
  [[nodiscard]] std::string json() const {
    if (seen_.empty()) return {};
    std::string text;
    for (const auto& [events, count] : seen_) {
      text += (text.empty() ? "" : ", ") + std::string("{\"count\": ") + std::to_string(count) +
              ", \"events\": [" + events + "]}";
    }
    return ", \"histories\": [" + text + "]";
  }

 private:
  /// The operations of some threads, here and on the device.
  struct turn {
    std::vector<gpu_operation> operations;
    std::vector<unsigned> first{0};
    gpu_operation* on_device = nullptr;
    unsigned* first_on_device = nullptr;
    unsigned* calls = nullptr;

    /// One more thread.
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
  std::map<std::string, unsigned> seen_;  // how often, by events

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

std::unique_ptr<kernels> code_of(const options& run, const gpu_entry& entry) {
  if (run.ptx.empty()) return std::make_unique<compiled_kernels>(entry);
  return std::make_unique<ptx_kernels>(entry, run.ptx, run.jit);
}

void run(const options& run) {
  const gpu_entry& entry = find_entry(run);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "no GPU here\n");
    std::exit(exit_no_gpu);
  }
  const std::string device = device_name();

  const std::size_t size = entry.entry.size;
  auto* object = static_cast<unsigned char*>(std::aligned_alloc(64, (size + 63) / 64 * 64));
  entry.entry.construct(object);
  const std::vector<unsigned char> image = device_image(object, size);
  void* on_device = nullptr;
  require(cudaMalloc(&on_device, size + guard_bytes), "device memory");

  run_record* record = make_record();
  const std::unique_ptr<kernels> code = code_of(run, entry);
  set_parameters(run, record, *code);
  recorder histories(run, entry, *code);
  const bool has_operations = entry.entry.operation_count != 0;
  cudaEvent_t begin, end;
  require(cudaEventCreate(&begin), "event");
  require(cudaEventCreate(&end), "event");
  const first_arrays at_first;
  std::string times;
  const launch_shape shape{run.blocks, run.blocks * block_threads(run), client_count(run),
                           run.repeat};
  const auto check = [&](result& of) {
    copy_back(object, on_device, size);
    if (const char* message = entry.entry.check(object, shape)) {
      of.outcome = "check-failed";
      of.message = message;
    } else if (run.timed && is_written(on_device, size)) {
      of.outcome = "check-failed";
      of.message = "the object writes behind its end: it may be made for fewer threads";
    }
  };
  result ended{"finished", "", 0};
  double longest = 0;
  for (unsigned round = 0; round < run.rounds; ++round) {
    copy_there(on_device, image);
    if (run.timed) {
      require(cudaMemset(static_cast<unsigned char*>(on_device) + size, 0, guard_bytes), "guard");
    }
    if (has_operations) histories.begin(run.seed + round);
    const auto start = std::chrono::steady_clock::now();
    code->init(on_device);
    if (run.timed) require(cudaEventRecord(begin), "event");
    code->launch(on_device, run.repeat, run.blocks, static_cast<unsigned>(run.lanes.size()));
    require(cudaEventRecord(end), "event");
    ended = wait(start, end, record, run.deadline);
    longest = std::max(longest, ended.seconds);
    if (std::strcmp(ended.outcome, "finished") != 0) break;
    if (has_operations) histories.keep();
    if (run.timed) {
      float milliseconds = 0;
      require(cudaEventElapsedTime(&milliseconds, begin, end), "event");
      check(ended);
      at_first.restore();
      if (std::strcmp(ended.outcome, "finished") != 0) break;
      times += (times.empty() ? "" : ", ") + decimal(milliseconds / 1e3);
    }
  }
  ended.seconds = longest;
  if (!run.timed && std::strcmp(ended.outcome, "finished") == 0) check(ended);
  const std::string measured = run.timed ? ", \"times\": [" + times + "]" : "";
  report(device, entry, ended, histories.json() + measured);
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
  const std::size_t step = align < 64 ? 64 : align;
  const std::size_t bytes = (*count * size + step - 1) / step * step;
  void* host = std::aligned_alloc(step, bytes);
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
