// The device code of a run: compiled into this program by nvcc, or PTX that the driver compiles.
// Included by runner.cu alone.
#pragma once

#include <simt/detail/launch.hpp>

#include <cuda.h>
#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace gpu_runner {

using simt::detail::gpu_entry;
using simt::detail::history_record;
using simt::detail::launch_parameters;

/// Ends the process with a message if CUDA reports an error.
void require(cudaError_t status, const char* what);

/// The variables that the host sets, and the kernels that it starts on the default stream.
class kernels {
 public:
  virtual ~kernels() = default;
  virtual void set_launch(const launch_parameters& parameters) = 0;
  virtual void set_histories(const history_record (&both)[2], unsigned turn) = 0;
  /// Starts the kernel that runs once before the grid, if there is one.
  virtual void init(void* object) = 0;
  virtual void launch(void* object, unsigned repeat, const simt::detail::gpu_grid& grid) = 0;
};

/// Kernels compiled by nvcc, for independent thread scheduling.
class compiled_kernels : public kernels {
 public:
  explicit compiled_kernels(const gpu_entry& entry) : entry_(entry) {}

  void set_launch(const launch_parameters& parameters) override {
    require(cudaMemcpyToSymbol(simt::detail::launch, &parameters, sizeof parameters),
            "launch parameters");
  }
  void set_histories(const history_record (&both)[2], unsigned turn) override {
    require(cudaMemcpyToSymbol(simt::detail::histories, both, sizeof both), "operations");
    require(cudaMemcpyToSymbol(simt::detail::history_turn, &turn, sizeof turn), "operations");
  }
  void init(void* object) override {
    if (entry_.init != nullptr) entry_.init(object);
  }
  void launch(void* object, unsigned repeat, const simt::detail::gpu_grid& grid) override {
    entry_.launch(object, repeat, grid);
    require(cudaGetLastError(), "launch");
  }

 private:
  const gpu_entry& entry_;
};

[[noreturn]] inline void fail(const std::string& file, const std::string& message) {
  std::fprintf(stderr, "%s: %s\n", file.c_str(), message.c_str());
  std::exit(4);
}

/// A file's content. Ends the process if the file cannot be read.
inline std::string content(const std::string& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) fail(file, "cannot be read");
  return text.str();
}

inline std::vector<std::string> entry_names(const std::string& text) {
  std::vector<std::string> names;
  const std::string mark = ".entry ";
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    at += mark.size();
    names.push_back(text.substr(at, text.find_first_of("( \t\n", at) - at));
  }
  return names;
}

/// The demangled name. A mangled kernel name abbreviates the type of its workload, so names are
/// compared demangled.
inline std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : name;
}

inline bool is_instance(const std::string& readable, const std::string& kernel,
                        const std::string& workload) {
  const std::string front = "void simt::detail::" + kernel + "<" + workload;
  if (readable.compare(0, front.size(), front) != 0) return false;
  const std::string rest = readable.substr(front.size());
  return rest.compare(0, 2, ">(") == 0 || rest.compare(0, 3, " >(") == 0;
}

/// The kernels of a subject in PTX. `init` is empty if there is nothing to do before the grid.
struct kernel_names {
  std::string run;
  std::string init;
  bool complete;
};

inline kernel_names kernels_in(const std::string& ptx, const gpu_entry& entry) {
  kernel_names found{};
  const std::string workload = demangled(entry.workload_type);
  for (const std::string& name : entry_names(ptx)) {
    const std::string readable = demangled(name.c_str());
    if (is_instance(readable, "run_workload", workload)) found.run = name;
    if (is_instance(readable, "run_init", workload)) found.init = name;
  }
  found.complete = !found.run.empty() && (entry.init == nullptr || !found.init.empty());
  return found;
}

/// Kernels from PTX, through the driver's API. With .target sm_60 the GPU schedules them as those
/// before Volta.
class ptx_kernels : public kernels {
 public:
  /// `optimization`: the level of the driver's compiler, 0 to 4.
  ptx_kernels(const gpu_entry& entry, const std::string& file, unsigned optimization) {
    require(cudaFree(nullptr), "context");  // made now, for the driver's API to use
    const std::string text = content(file);
    load(file, text, optimization);
    const kernel_names names = kernels_in(text, entry);
    if (!names.complete) fail(file, std::string("has no kernels for ") + entry.entry.name);
    run_ = function(names.run);
    if (!names.init.empty()) init_ = function(names.init);
  }

  void set_launch(const launch_parameters& parameters) override {
    set("simt_launch", &parameters, sizeof parameters);
  }
  void set_histories(const history_record (&both)[2], unsigned turn) override {
    set("simt_histories", both, sizeof both);
    set("simt_history_turn", &turn, sizeof turn);
  }
  void init(void* object) override {
    if (init_ == nullptr) return;
    void* arguments[]{&object};
    start(init_, 1, 1, arguments);
  }
  void launch(void* object, unsigned repeat, const simt::detail::gpu_grid& grid) override {
    void* arguments[]{&object, &repeat};
    start(run_, grid.blocks, grid.warps * 32, arguments);
  }

 private:
  CUmodule module_ = nullptr;
  CUfunction run_ = nullptr;
  CUfunction init_ = nullptr;

  /// A function of the driver. The program is not linked with the driver, so that it starts without
  /// a GPU.
  template <class Function>
  static Function* driver(const char* name) {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult how{};
#if CUDART_VERSION >= 12050
    constexpr unsigned version = 12000;  // of CUDA, in which all of them are as they are used here
    require(cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &how), name);
#else
    require(cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &how), name);
#endif
    if (how != cudaDriverEntryPointSuccess) fail(name, "the driver has no such function");
    return reinterpret_cast<Function*>(found);
  }

  static void require_driver(CUresult status, const std::string& what) {
    if (status == CUDA_SUCCESS) return;
    const char* text = nullptr;
    driver<CUresult(CUresult, const char**)>("cuGetErrorString")(status, &text);
    fail(what, text != nullptr ? text : "error " + std::to_string(static_cast<int>(status)));
  }

  void load(const std::string& file, const std::string& text, unsigned optimization) {
    std::vector<char> log(16 * 1024);
    CUjit_option options[]{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                           CU_JIT_OPTIMIZATION_LEVEL};
    // CUDA takes this number by value.
    void* values[]{log.data(), reinterpret_cast<void*>(log.size()),
                   reinterpret_cast<void*>(static_cast<std::size_t>(optimization))};
    using load_function = CUresult(CUmodule*, const void*, unsigned, CUjit_option*, void**);
    const CUresult status =
        driver<load_function>("cuModuleLoadDataEx")(&module_, text.c_str(), 3, options, values);
    if (status == CUDA_SUCCESS) return;
    log.back() = 0;
    if (log.front() != 0) std::fprintf(stderr, "%s\n", log.data());
    require_driver(status, file + ": the driver does not take this PTX");
  }

  CUfunction function(const std::string& name) const {
    CUfunction found = nullptr;
    require_driver(driver<CUresult(CUfunction*, CUmodule, const char*)>("cuModuleGetFunction")(
                       &found, module_, name.c_str()),
                   name);
    return found;
  }

  void set(const char* variable, const void* data, std::size_t bytes) const {
    CUdeviceptr place = 0;
    std::size_t size = 0;
    using get = CUresult(CUdeviceptr*, std::size_t*, CUmodule, const char*);
    const CUresult status = driver<get>("cuModuleGetGlobal")(&place, &size, module_, variable);
    require_driver(status, variable);
    if (size != bytes) fail(variable, "the PTX was made for another runner");
    require(cudaMemcpy(reinterpret_cast<void*>(place), data, bytes, cudaMemcpyHostToDevice),
            variable);
  }

  static void start(CUfunction kernel, unsigned blocks, unsigned threads, void** arguments) {
    using launch_function = CUresult(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                                     unsigned, unsigned, CUstream, void**, void**);
    require_driver(driver<launch_function>("cuLaunchKernel")(kernel, blocks, 1, 1, threads, 1, 1, 0,
                                                             nullptr, arguments, nullptr),
                   "launch");
  }
};

}  // namespace gpu_runner
