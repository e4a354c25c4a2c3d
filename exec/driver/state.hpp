// What the stand-in for the driver knows: device memory, modules, the connection to warpcheck. Each
// process has one.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "exec/driver/cuda.hpp"
#include "exec/wire/wire.hpp"

namespace warpcheck::driver {

/// Device memory, pinned memory and managed memory: one range of addresses, at the same place in
/// the program and in the process that carries kernels out.
class device_memory {
 public:
  /// Maps the range. The descriptor stays open.
  int open();
  /// 0: there is no more. Fresh memory is 0. Between two allocations lie bytes of neither.
  device_pointer allocate(std::uint64_t size);
  bool release(device_pointer begin);

  struct range {
    device_pointer begin = 0;
    std::uint64_t size = 0;
  };
  /// The allocation that contains the address.
  [[nodiscard]] std::optional<range> find(device_pointer at) const;
  /// Whether all of [at, at + size) belongs to one allocation.
  [[nodiscard]] bool has(device_pointer at, std::uint64_t size) const;
  [[nodiscard]] const std::map<device_pointer, std::uint64_t>& live() const { return live_; }
  [[nodiscard]] std::uint64_t used() const { return used_; }

 private:
  int file_ = -1;
  std::uint64_t used_ = 0;
  std::map<device_pointer, std::uint64_t> live_;
};

struct module;

struct parameter {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

struct kernel {
  module* of = nullptr;
  std::string name;
  std::vector<parameter> parameters;
  std::uint64_t shared_size = 0;  // static
  int most_threads = 1024;
  int dynamic_shared = 48 << 10;  // the most that a launch may ask for
};

struct variable {
  std::string name;
  device_pointer at = 0;
  std::uint64_t size = 0;
};

struct module {
  std::uint32_t number = 0;  // as warpcheck counts them
  std::vector<std::unique_ptr<kernel>> kernels;
  std::vector<variable> variables;
};

struct state {
  std::recursive_mutex lock;
  bool is_open = false;
  int socket = -1;
  device_memory memory;
  std::vector<std::unique_ptr<module>> modules;
  error failed = success;  // the error of a launch, which all later calls return

  /// Connects to warpcheck and maps the memory, once.
  error open();
  /// Sends a request. Returns the reply without its code; nothing if warpcheck is gone.
  std::optional<std::vector<std::uint8_t>> ask(const wire::writer& request, error& code);
};

state& the();

/// Says on standard error which request of the program was refused.
void tell(const std::string& text);
/// Says that a call of the API is not supported, and returns the error for it.
error refuse_call(const char* name, const char* remedy = nullptr);

/// Loads a module: text, a fat binary, or what the runtime wraps around one.
error load_module(const void* image, module** loaded);
error launch(kernel& what, const unsigned grid[3], const unsigned block[3], unsigned shared,
             bool cooperative, void** parameters, void** extra);

/// The one context. Any address serves.
void* only_context();
/// Whether the calling thread has made the context current.
bool& has_context();

}  // namespace warpcheck::driver
