// Asks CUDA's driver and NVML about the GPU in a child process, without their headers.
#include "checker/hardware/gpu.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "checker/report/formats/json_report.hpp"

namespace warpcheck {

namespace {

// Constants of the CUDA driver API and NVML, whose binary interfaces are stable. Their headers need
// not be installed here.
constexpr int compute_capability_major = 75;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
constexpr int compute_capability_minor = 76;

// A driver that is just starting takes some seconds.
constexpr auto patience = std::chrono::seconds(30);

template <class Function>
Function* function_of(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

std::string driver_version() {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  if (library == nullptr) return {};
  auto* init = function_of<int()>(library, "nvmlInit_v2");
  auto* version = function_of<int(char*, unsigned)>(library, "nvmlSystemGetDriverVersion");
  std::array<char, 81> text{};
  if (init == nullptr || version == nullptr || init() != 0) return {};
  if (version(text.data(), text.size() - 1) != 0) return {};
  return text.data();
}

// Returns five lines that describe the GPU, or one line that says why there is none.
std::string ask_driver() {
  const std::string none = "there is no NVIDIA GPU here, so there is nothing to run on\n";
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == nullptr) return none;
  auto* init = function_of<int(unsigned)>(library, "cuInit");
  auto* count = function_of<int(int*)>(library, "cuDeviceGetCount");
  auto* get = function_of<int(int*, int)>(library, "cuDeviceGet");
  auto* device_name = function_of<int(char*, int, int)>(library, "cuDeviceGetName");
  auto* attribute = function_of<int(int*, int, int)>(library, "cuDeviceGetAttribute");
  auto* version = function_of<int(int*)>(library, "cuDriverGetVersion");
  if (init == nullptr || count == nullptr || get == nullptr || device_name == nullptr ||
      attribute == nullptr || version == nullptr) {
    return "the NVIDIA driver here is too old (its libcuda.so.1 lacks functions)\n";
  }
  constexpr int no_device = 100;  // CUDA_ERROR_NO_DEVICE
  const int error = init(0);
  if (error != 0 && error != no_device) {
    return fmt::format("no NVIDIA GPU can be used here: the driver reports error {}\n", error);
  }
  int devices = 0;
  if (error != 0 || count(&devices) != 0 || devices == 0) return none;
  int device = 0;
  std::array<char, 256> text{};
  int major = 0;
  int minor = 0;
  int cuda = 0;
  if (get(&device, 0) != 0 ||
      device_name(text.data(), static_cast<int>(text.size()) - 1, device) != 0 ||
      attribute(&major, compute_capability_major, device) != 0 ||
      attribute(&minor, compute_capability_minor, device) != 0 || version(&cuda) != 0) {
    return "no NVIDIA GPU can be used here: the driver does not describe its first one\n";
  }
  return fmt::format("{}\nsm_{}{}\n{}.{}\n{}\n{}\n", text.data(), major, minor, cuda / 1000,
                     cuda % 1000 / 10, devices, driver_version());
}

[[noreturn]] void send_answer(int pipe) {
  const std::string text = ask_driver();
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(pipe, text.data() + written, text.size() - written);
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  _exit(0);  // skips the driver's own clean-up
}

// Listens until the other side closes the pipe, or patience ends.
std::string listen(int pipe) {
  using clock = std::chrono::steady_clock;
  const clock::time_point end = clock::now() + patience;
  std::string text;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now());
    pollfd readable{pipe, POLLIN, 0};
    if (left.count() <= 0) return {};
    const int ready = ::poll(&readable, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return {};
    std::array<char, 1024> part{};
    const ssize_t count = ::read(pipe, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

std::string next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string line(rest.substr(0, end));
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

gpu_search not_found(const std::string& why) { return {false, {}, why}; }

}  // namespace

gpu_search find_gpu() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return not_found("the GPU cannot be looked for: no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    send_answer(ends[1]);
  }
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return not_found("the GPU cannot be looked for: no process can be started");
  }
  const std::string text = listen(ends[0]);
  ::close(ends[0]);
  if (text.empty()) ::kill(child, SIGKILL);
  int ended = 0;
  while (::waitpid(child, &ended, 0) < 0 && errno == EINTR) {
  }

  std::string_view rest = text;
  gpu_search search;
  search.device.name = next_line(rest);
  search.device.architecture = next_line(rest);
  search.device.cuda = next_line(rest);
  const std::string count = next_line(rest);
  search.device.driver = next_line(rest);
  if (text.empty()) return not_found("no NVIDIA GPU can be used here: the driver does not answer");
  if (search.device.architecture.empty()) return not_found(search.device.name);
  search.device.count = static_cast<unsigned>(std::strtoul(count.c_str(), nullptr, 10));
  search.found = true;
  return search;
}

nlohmann::ordered_json gpu_document(const gpu& device, const std::string& nvcc,
                                    const std::string& date) {
  using json = nlohmann::ordered_json;
  return {{"version", json_version},
          {"gpu", device.name},
          {"architecture", device.architecture},
          {"driver", device.driver.empty() ? json() : json(device.driver)},
          {"cuda", device.cuda},
          {"nvcc", nvcc},
          {"date", date}};
}

}  // namespace warpcheck
