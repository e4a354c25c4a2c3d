// Keeps what nvcc's code registers before main: modules, kernels, variables. A module is loaded
// when the program first uses it.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "exec/runtime/runtime.hpp"

using namespace warpcheck;
using runtime::extent;
using runtime::note;

namespace {

struct registered_module {
  const void* image = nullptr;
  void* loaded = nullptr;
  driver::error code = driver::success;
  std::vector<std::pair<void**, std::string>> managed;  // pointers of the host, by names
};

struct symbol {
  registered_module* of = nullptr;
  std::string name;
};

struct call_configuration {
  extent grid, block;
  std::size_t shared;
  void* stream;
};

struct registry {
  std::recursive_mutex lock;
  std::vector<std::unique_ptr<registered_module>> modules;
  std::map<const void*, symbol> kernels, variables;
};

// Programs may register before this library's constructors have run, so the first use makes it.
registry& all() {
  static registry* const one = new registry;
  return *one;
}

std::vector<call_configuration>& configurations() {
  thread_local std::vector<call_configuration> stack;
  return stack;
}

registered_module* module_of(void** handle) { return reinterpret_cast<registered_module*>(handle); }

driver::error load(registered_module& what) {
  if (what.loaded != nullptr || what.code != driver::success) return what.code;
  what.code = runtime::begin();
  if (what.code == driver::success) what.code = cuModuleLoadData(&what.loaded, what.image);
  for (const auto& [pointer, name] : what.managed) {
    driver::device_pointer at = 0;
    if (what.code == driver::success)
      what.code = cuModuleGetGlobal_v2(&at, nullptr, what.loaded, name.c_str());
    *pointer = reinterpret_cast<void*>(at);
  }
  return what.code;
}

}  // namespace

namespace warpcheck::runtime {

void* kernel_of(const void* symbol, error& code) {
  const std::lock_guard guard(all().lock);
  const auto found = all().kernels.find(symbol);
  if (found == all().kernels.end()) {
    // The program may hand over what cudaGetKernel or the driver returned.
    code = invalid_function;
    return nullptr;
  }
  code = load(*found->second.of);
  void* kernel = nullptr;
  if (code == driver::success)
    code = cuModuleGetFunction(&kernel, found->second.of->loaded, found->second.name.c_str());
  return code == driver::success ? kernel : nullptr;
}

found_variable variable_of(const void* symbol, error& code) {
  const std::lock_guard guard(all().lock);
  const auto found = all().variables.find(symbol);
  found_variable result;
  if (found == all().variables.end()) {
    code = invalid_symbol;
    return result;
  }
  code = load(*found->second.of);
  if (code == driver::success) {
    code = cuModuleGetGlobal_v2(&result.at, &result.size, found->second.of->loaded,
                                found->second.name.c_str());
  }
  return result;
}

}  // namespace warpcheck::runtime

extern "C" {

[[gnu::visibility("default")]] void** __cudaRegisterFatBinary(void* image) {
  const std::lock_guard guard(all().lock);
  auto made = std::make_unique<registered_module>();
  made->image = image;
  all().modules.push_back(std::move(made));
  return reinterpret_cast<void**>(all().modules.back().get());
}
[[gnu::visibility("default")]] void __cudaRegisterFatBinaryEnd(void**) {}
[[gnu::visibility("default")]] void __cudaUnregisterFatBinary(void**) {}

[[gnu::visibility("default")]] void __cudaRegisterFunction(void** handle, const char* host, char*,
                                                           const char* name, int, void*, void*,
                                                           void*, void*, int*) {
  const std::lock_guard guard(all().lock);
  all().kernels[host] = {module_of(handle), name};
}
[[gnu::visibility("default")]] void __cudaRegisterVar(void** handle, char* host, char*,
                                                      const char* name, int, std::size_t, int,
                                                      int) {
  const std::lock_guard guard(all().lock);
  all().variables[host] = {module_of(handle), name};
}
[[gnu::visibility("default")]] void __cudaRegisterManagedVar(void** handle, void** host, char*,
                                                             const char* name, int, std::size_t,
                                                             int, int) {
  const std::lock_guard guard(all().lock);
  all().variables[host] = {module_of(handle), name};
  module_of(handle)->managed.emplace_back(host, name);
}
/// Called in front of the program's first use of a managed variable.
[[gnu::visibility("default")]] char __cudaInitModule(void** handle) {
  const std::lock_guard guard(all().lock);
  return load(*module_of(handle)) == driver::success ? 1 : 0;
}

[[gnu::visibility("default")]] unsigned __cudaPushCallConfiguration(extent grid, extent block,
                                                                    std::size_t shared,
                                                                    void* stream) {
  configurations().push_back({grid, block, shared, stream});
  return 0;
}
}

CUDA_CALL __cudaPopCallConfiguration(extent* grid, extent* block, std::size_t* shared,
                                     void** stream) {
  if (configurations().empty()) return note(static_cast<driver::error>(52));
  const call_configuration last = configurations().back();
  configurations().pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *stream = last.stream;
  return driver::success;
}
