// Runs one subject once on a GPU and says how it ended. Linked with the subject, which nvcc
// includes first; the folder of the API is sim/include:
//
//   nvcc -std=c++20 -arch=native -I<API> -include algorithms/locks/tas.hpp hardware/runner.cu -o
//   run_tas
//
// usage: run_tas [--list]
//        run_tas [options]
//   --subject NAME          the type given to SIMT_SUBJECT; may be left out where there is only one
//   --workload NAME         "counter", "kernel", ...; may be left out where the subject fits one
//   --clients lane|warp|block   who runs it: all lanes, or lane 0 of each warp or block (lane)
//   --blocks N              (1)
//   --lanes N[,N...]        lanes of each warp of a block, one number for each warp (1)
//   --repeat N              (1)
//   --array NAME=ELEMENTS   size of a device array (one element for each thread); repeatable
//   --values NAME=V[,V...]  what its first elements are at first (0); repeatable, the next ones
//   --deadline SECONDS      after which a run counts as hanging (5)
//
// Prints one line of JSON on stdout:
//   {"device": "NVIDIA H200", "subject": "tas", "workload": "counter", "outcome": "finished",
//    "message": "", "seconds": 0.00012}
// outcome:
//   finished      all lanes exited and the final check holds
//   check-failed  all lanes exited and the final check does not hold; message says why
//   assertion     simt::check failed; message is its message
//   hang          not done at the deadline
//   device-error  CUDA reported an error, such as an illegal address; message is CUDA's
// --list prints a JSON array of {"subject", "workload"} instead and needs no GPU.
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

// A named namespace: the subject's own names are in the global one.
namespace gpu_runner {
namespace {

using simt::detail::client_kind;
using simt::detail::gpu_entry;
using simt::detail::launch_parameters;
using simt::detail::launch_shape;
using simt::detail::run_record;

constexpr int exit_usage = 2;
constexpr int exit_cuda = 4;
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

void require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(exit_cuda);
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

unsigned long number(const std::string& option, const std::string& text, unsigned long most) {
  char* end = nullptr;
  const unsigned long value = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || *end != 0 || text[0] == '-' || value < 1 || value > most) {
    wrong_use(option + " takes a number from 1 to " + std::to_string(most) + ", not \"" + text +
              "\"");
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

void list() {
  std::string text;
  for (const gpu_entry* each : entries()) {
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
[[noreturn]] void report(const std::string& device, const gpu_entry& entry, const result& run) {
  std::printf(
      "{\"device\": %s, \"subject\": %s, \"workload\": %s, \"outcome\": %s, \"message\": %s, "
      "\"seconds\": %.6f}\n",
      quoted(device).c_str(), quoted(entry.entry.name).c_str(),
      quoted(entry.entry.workload).c_str(), quoted(run.outcome).c_str(),
      quoted(run.message).c_str(), run.seconds);
  std::fflush(stdout);
  _exit(0);
}

run_record* make_record() {
  void* record = nullptr;
  require(cudaHostAlloc(&record, sizeof(run_record), cudaHostAllocMapped), "mapped host memory");
  std::memset(record, 0, sizeof(run_record));
  return static_cast<run_record*>(record);
}

void set_parameters(const options& run, run_record* record) {
  launch_parameters parameters{};
  unsigned first = 0;
  for (std::size_t warp = 0; warp < run.lanes.size(); ++warp) {
    parameters.lanes[warp] = run.lanes[warp];
    parameters.first_lane[warp] = first;
    first += run.lanes[warp];
  }
  parameters.block_threads = first;
  parameters.clients = run.clients;
  void* on_device = nullptr;
  require(cudaHostGetDevicePointer(&on_device, record, 0), "mapped host memory");
  parameters.record = static_cast<run_record*>(on_device);
  require(cudaMemcpyToSymbol(simt::detail::launch, &parameters, sizeof parameters),
          "launch parameters");
}

/// The subject's bytes, with the pointers of its device arrays as the device has them.
std::vector<unsigned char> device_image(const unsigned char* object, std::size_t size) {
  std::vector<unsigned char> image(object, object + size);
  for (array_storage& array : arrays()) {
    require(cudaMalloc(&array.device, array.bytes), "device array");
    require(cudaMemcpy(array.device, array.host, array.bytes, cudaMemcpyHostToDevice),
            "device array");
    const std::size_t offset =
        static_cast<std::size_t>(static_cast<unsigned char*>(array.place) - object);
    std::memcpy(&image[offset], &array.device, sizeof array.device);
  }
  return image;
}

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
  require(cudaMalloc(&on_device, size), "device memory");
  require(cudaMemcpy(on_device, image.data(), size, cudaMemcpyHostToDevice), "copying the object");

  run_record* record = make_record();
  set_parameters(run, record);
  cudaEvent_t end;
  require(cudaEventCreateWithFlags(&end, cudaEventDisableTiming), "event");
  const auto start = std::chrono::steady_clock::now();
  if (entry.init != nullptr) entry.init(on_device);
  entry.launch(on_device, run.repeat, run.blocks, static_cast<unsigned>(run.lanes.size()));
  require(cudaGetLastError(), "launch");
  require(cudaEventRecord(end), "event");

  result ended = wait(start, end, record, run.deadline);
  if (std::strcmp(ended.outcome, "finished") == 0) {
    copy_back(object, on_device, size);
    const launch_shape shape{run.blocks, run.blocks * block_threads(run), client_count(run),
                             run.repeat};
    if (const char* message = entry.entry.check(object, shape)) {
      ended.outcome = "check-failed";
      ended.message = message;
    }
  }
  report(device, entry, ended);
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
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    gpu_runner::list();
    return 0;
  }
  gpu_runner::chosen() = gpu_runner::parse(argc, argv);
  gpu_runner::run(gpu_runner::chosen());
}
