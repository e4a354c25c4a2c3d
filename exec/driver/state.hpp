// What the stand-in knows: device memory, modules, the connection to warpcheck. One for a process.
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
  /// 0: there is no more. Fresh memory is 0; between two allocations are bytes of neither.
  device_pointer allocate(std::uint64_t size);
  bool release(device_pointer begin);

  struct range {
    device_pointer begin = 0;
    std::uint64_t size = 0;
  };
  /// The allocation that has the address.
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
  /// Sends a request; the reply without its code, or nothing where warpcheck is gone.
  std::optional<std::vector<std::uint8_t>> ask(const wire::writer& request, error& code);
};

state& the();

/// Says on standard error what the program asked for in vain.
void tell(const std::string& text);
/// The same of a call of the API that is not supported.
error refuse_call(const char* name, const char* remedy = nullptr);

/// Modules: text, fat binaries and what the runtime wraps around them.
error load_module(const void* image, module** loaded);
error launch(kernel& what, const unsigned grid[3], const unsigned block[3], unsigned shared,
             bool cooperative, void** parameters, void** extra);

/// The one context; any address does.
void* only_context();
/// The calling thread has it.
bool& has_context();

}  // namespace warpcheck::driver
