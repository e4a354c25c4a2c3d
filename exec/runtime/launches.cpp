// Launches kernels through the runtime, and answers calls about kernels.
#include "exec/runtime/runtime.hpp"

using namespace warpcheck;
using driver::success;
using runtime::extent;
using runtime::note;

namespace {

driver::error launch(void* kernel, extent grid, extent block, void** arguments, std::size_t shared,
                     bool cooperative) {
  const auto bytes = static_cast<unsigned>(shared);
  if (cooperative) {
    return note(cuLaunchCooperativeKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                          bytes, nullptr, arguments));
  }
  return note(cuLaunchKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, bytes,
                             nullptr, arguments, nullptr));
}

driver::error launch_symbol(const void* symbol, extent grid, extent block, void** arguments,
                            std::size_t shared, bool cooperative) {
  driver::error code = success;
  void* const kernel = runtime::kernel_of(symbol, code);
  if (kernel == nullptr) return note(code);
  return launch(kernel, grid, block, arguments, shared, cooperative);
}

struct function_attributes {
  std::size_t shared, constant, local;
  int most_threads, registers, ptx_version, binary_version, cache_mode, most_dynamic_shared,
      carveout, cluster[4], rest[18];
};

}  // namespace

CUDA_CALL __cudaGetKernel(void** kernel, const void* symbol) {
  driver::error code = success;
  *kernel = runtime::kernel_of(symbol, code);
  return note(code);
}
CUDA_CALL __cudaLaunchKernel(void* kernel, extent grid, extent block, void** arguments,
                             std::size_t shared, void*) {
  return launch(kernel, grid, block, arguments, shared, false);
}
CUDA_CALL __cudaLaunchKernel_ptsz(void* kernel, extent grid, extent block, void** arguments,
                                  std::size_t shared, void*) {
  return launch(kernel, grid, block, arguments, shared, false);
}
CUDA_CALL cudaLaunchKernel(const void* symbol, extent grid, extent block, void** arguments,
                           std::size_t shared, void*) {
  return launch_symbol(symbol, grid, block, arguments, shared, false);
}
CUDA_CALL cudaLaunchKernel_ptsz(const void* symbol, extent grid, extent block, void** arguments,
                                std::size_t shared, void*) {
  return launch_symbol(symbol, grid, block, arguments, shared, false);
}
CUDA_CALL cudaLaunchCooperativeKernel(const void* symbol, extent grid, extent block,
                                      void** arguments, std::size_t shared, void*) {
  return launch_symbol(symbol, grid, block, arguments, shared, true);
}
CUDA_CALL cudaLaunchKernelExC(const driver::launch_config* config, const void* symbol,
                              void** arguments) {
  // The runtime's configuration has 8 bytes for the size of shared memory, at the same place.
  driver::error code = success;
  void* const kernel = runtime::kernel_of(symbol, code);
  if (kernel == nullptr) return note(code);
  return note(cuLaunchKernelEx(config, kernel, arguments, nullptr));
}
CUDA_CALL cudaLaunchHostFunc(void* stream, void (*call)(void*), void* data) {
  return note(cuLaunchHostFunc(stream, call, data));
}

CUDA_CALL cudaGetFuncBySymbol(void** kernel, const void* symbol) {
  return __cudaGetKernel(kernel, symbol);
}
CUDA_CALL cudaGetKernel(void** kernel, const void* symbol) {
  return __cudaGetKernel(kernel, symbol);
}
CUDA_CALL cudaFuncGetName(const char** name, const void* symbol) {
  driver::error code = success;
  void* const kernel = runtime::kernel_of(symbol, code);
  return note(kernel == nullptr ? code : cuFuncGetName(name, kernel));
}
CUDA_CALL cudaFuncGetAttributes(function_attributes* to, const void* symbol) {
  if (to == nullptr) return note(driver::invalid_value);
  driver::error code = success;
  void* const kernel = runtime::kernel_of(symbol, code);
  if (kernel == nullptr) return note(code);
  *to = {};
  int shared = 0;
  cuFuncGetAttribute(&to->most_threads, 0, kernel);
  cuFuncGetAttribute(&shared, 1, kernel);
  cuFuncGetAttribute(&to->registers, 4, kernel);
  cuFuncGetAttribute(&to->ptx_version, 5, kernel);
  cuFuncGetAttribute(&to->binary_version, 6, kernel);
  cuFuncGetAttribute(&to->most_dynamic_shared, 8, kernel);
  to->shared = static_cast<std::size_t>(shared);
  return success;
}
CUDA_CALL cudaFuncSetAttribute(const void* symbol, int number, int value) {
  driver::error code = success;
  void* const kernel = runtime::kernel_of(symbol, code);
  return note(kernel == nullptr ? code : cuFuncSetAttribute(kernel, number, value));
}
CUDA_CALL cudaFuncSetCacheConfig(const void*, int) { return success; }
CUDA_CALL cudaFuncSetSharedMemConfig(const void*, int) { return success; }

CUDA_CALL cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int,
                                                                 std::size_t, unsigned) {
  if (blocks == nullptr) return note(driver::invalid_value);
  *blocks = 1;
  return success;
}
CUDA_CALL cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* symbol,
                                                        int threads, std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, symbol, threads, shared, 0);
}
