// Loads modules, looks up their kernels and variables, and launches kernels.
#include <cstdio>
#include <cstring>

#include "exec/driver/state.hpp"

using namespace warpcheck::driver;

namespace {

module* module_of(void* handle) { return static_cast<module*>(handle); }
kernel* kernel_of(void* handle) { return static_cast<kernel*>(handle); }

error find_kernel(void** found, void* of, const char* name) {
  if (found == nullptr || of == nullptr || name == nullptr) return invalid_value;
  for (const auto& one : module_of(of)->kernels) {
    if (one->name != name) continue;
    *found = one.get();
    return success;
  }
  return not_found;
}

error find_variable(device_pointer* at, std::size_t* size, void* of, const char* name) {
  if (of == nullptr || name == nullptr) return invalid_value;
  for (const variable& one : module_of(of)->variables) {
    if (one.name != name) continue;
    if (at != nullptr) *at = one.at;
    if (size != nullptr) *size = one.size;
    return success;
  }
  return not_found;
}

error load_file(void** made, const char* path) {
  if (made == nullptr || path == nullptr) return invalid_value;
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr) return file_not_found;
  std::string content;
  char part[4096];
  for (std::size_t got = 0; (got = std::fread(part, 1, sizeof part, file)) > 0;)
    content.append(part, got);
  std::fclose(file);
  return load_module(content.c_str(), reinterpret_cast<module**>(made));
}

// Attributes by the driver API's numbers.
error kernel_attribute(int* value, int number, const kernel& what) {
  if (value == nullptr) return invalid_value;
  switch (number) {
    case 0: *value = what.most_threads; break;
    case 1: *value = static_cast<int>(what.shared_size); break;
    case 4: *value = 32; break;  // registers
    case 5:
    case 6: *value = 90; break;  // versions of the PTX and of the machine code
    case 8: *value = what.dynamic_shared; break;
    default: *value = 0; break;
  }
  return success;
}

error set_kernel_attribute(kernel& what, int number, int value) {
  constexpr int most = 227 << 10;
  if (number != 8) return success;
  if (value < 0 || value + static_cast<int>(what.shared_size) > most) return invalid_value;
  what.dynamic_shared = value;
  return success;
}

error one_block_each(int* blocks) {
  if (blocks == nullptr) return invalid_value;
  *blocks = 1;
  return success;
}

error parameter_info(const kernel& what, std::size_t index, std::size_t* offset,
                     std::size_t* size) {
  if (index >= what.parameters.size()) return invalid_value;
  if (offset != nullptr) *offset = what.parameters[index].offset;
  if (size != nullptr) *size = what.parameters[index].size;
  return success;
}

}  // namespace

CUDA_CALL cuModuleLoadData(void** made, const void* image) {
  if (made == nullptr) return invalid_value;
  return load_module(image, reinterpret_cast<module**>(made));
}
CUDA_CALL cuModuleLoadDataEx(void** made, const void* image, unsigned, int*, void**) {
  return cuModuleLoadData(made, image);
}
CUDA_CALL cuModuleLoadFatBinary(void** made, const void* image) {
  return cuModuleLoadData(made, image);
}
CUDA_CALL cuModuleLoad(void** made, const char* path) { return load_file(made, path); }
CUDA_CALL cuModuleUnload(void*) { return success; }
CUDA_CALL cuModuleGetLoadingMode(int* mode) {
  if (mode != nullptr) *mode = 1;  // eager
  return success;
}
CUDA_CALL cuModuleGetFunction(void** found, void* of, const char* name) {
  return find_kernel(found, of, name);
}
CUDA_CALL cuModuleGetFunctionCount(unsigned* count, void* of) {
  if (count == nullptr || of == nullptr) return invalid_value;
  *count = static_cast<unsigned>(module_of(of)->kernels.size());
  return success;
}
CUDA_CALL cuModuleGetGlobal_v2(device_pointer* at, std::size_t* size, void* of, const char* name) {
  return find_variable(at, size, of, name);
}

CUDA_CALL cuLibraryLoadData(void** made, const void* image, int*, void**, unsigned, int*, void**,
                            unsigned) {
  return cuModuleLoadData(made, image);
}
CUDA_CALL cuLibraryLoadFromFile(void** made, const char* path, int*, void**, unsigned, int*, void**,
                                unsigned) {
  return load_file(made, path);
}
CUDA_CALL cuLibraryUnload(void*) { return success; }
CUDA_CALL cuLibraryGetKernel(void** found, void* of, const char* name) {
  return find_kernel(found, of, name);
}
CUDA_CALL cuLibraryGetModule(void** found, void* of) {
  if (found == nullptr) return invalid_value;
  *found = of;
  return success;
}
CUDA_CALL cuLibraryGetKernelCount(unsigned* count, void* of) {
  return cuModuleGetFunctionCount(count, of);
}
CUDA_CALL cuLibraryEnumerateKernels(void** found, unsigned most, void* of) {
  if (found == nullptr || of == nullptr) return invalid_value;
  unsigned next = 0;
  for (const auto& one : module_of(of)->kernels) {
    if (next < most) found[next++] = one.get();
  }
  return success;
}
CUDA_CALL cuLibraryGetGlobal(device_pointer* at, std::size_t* size, void* of, const char* name) {
  return find_variable(at, size, of, name);
}
CUDA_CALL cuLibraryGetManaged(device_pointer* at, std::size_t* size, void* of, const char* name) {
  return find_variable(at, size, of, name);
}
CUDA_CALL cuKernelGetFunction(void** function, void* of) {
  if (function == nullptr) return invalid_value;
  *function = of;
  return success;
}
CUDA_CALL cuKernelGetLibrary(void** found, void* of) {
  if (found == nullptr || of == nullptr) return invalid_value;
  *found = kernel_of(of)->of;
  return success;
}
CUDA_CALL cuKernelGetName(const char** name, void* of) {
  if (name == nullptr || of == nullptr) return invalid_value;
  *name = kernel_of(of)->name.c_str();
  return success;
}
CUDA_CALL cuKernelGetAttribute(int* value, int number, void* of, int) {
  return of == nullptr ? invalid_value : kernel_attribute(value, number, *kernel_of(of));
}
CUDA_CALL cuKernelSetAttribute(int number, int value, void* of, int) {
  return of == nullptr ? invalid_value : set_kernel_attribute(*kernel_of(of), number, value);
}
CUDA_CALL cuKernelSetCacheConfig(void*, int, int) { return success; }
CUDA_CALL cuKernelGetParamInfo(void* of, std::size_t index, std::size_t* offset,
                               std::size_t* size) {
  return of == nullptr ? invalid_value : parameter_info(*kernel_of(of), index, offset, size);
}

CUDA_CALL cuFuncGetAttribute(int* value, int number, void* of) {
  return of == nullptr ? invalid_value : kernel_attribute(value, number, *kernel_of(of));
}
CUDA_CALL cuFuncSetAttribute(void* of, int number, int value) {
  return of == nullptr ? invalid_value : set_kernel_attribute(*kernel_of(of), number, value);
}
CUDA_CALL cuFuncSetCacheConfig(void*, int) { return success; }
CUDA_CALL cuFuncGetModule(void** found, void* of) { return cuKernelGetLibrary(found, of); }
CUDA_CALL cuFuncGetName(const char** name, void* of) { return cuKernelGetName(name, of); }
CUDA_CALL cuFuncGetParamInfo(void* of, std::size_t index, std::size_t* offset, std::size_t* size) {
  return cuKernelGetParamInfo(of, index, offset, size);
}
CUDA_CALL cuFuncLoad(void*) { return success; }
CUDA_CALL cuFuncIsLoaded(int* loaded, void*) {
  if (loaded != nullptr) *loaded = 1;
  return success;
}

CUDA_CALL cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int, std::size_t) {
  return one_block_each(blocks);
}
CUDA_CALL cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void*, int, std::size_t,
                                                               unsigned) {
  return one_block_each(blocks);
}
CUDA_CALL cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, void* of,
                                                    std::size_t (*)(int), std::size_t, int most,
                                                    unsigned) {
  if (grid == nullptr || block == nullptr || of == nullptr) return invalid_value;
  *grid = 2;
  *block = kernel_of(of)->most_threads;
  if (most > 0 && most < *block) *block = most;
  return success;
}
CUDA_CALL cuOccupancyMaxPotentialBlockSize(int* grid, int* block, void* of,
                                           std::size_t (*shared)(int), std::size_t dynamic,
                                           int most) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, of, shared, dynamic, most, 0);
}

CUDA_CALL cuLaunchKernel(void* of, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                         unsigned bz, unsigned shared, void*, void** parameters, void** extra) {
  if (of == nullptr) return invalid_handle;
  const unsigned grid[]{gx, gy, gz};
  const unsigned block[]{bx, by, bz};
  return launch(*kernel_of(of), grid, block, shared, false, parameters, extra);
}
CUDA_CALL cuLaunchCooperativeKernel(void* of, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                    unsigned by, unsigned bz, unsigned shared, void*,
                                    void** parameters) {
  if (of == nullptr) return invalid_handle;
  const unsigned grid[]{gx, gy, gz};
  const unsigned block[]{bx, by, bz};
  return launch(*kernel_of(of), grid, block, shared, true, parameters, nullptr);
}
CUDA_CALL cuLaunchKernelEx(const launch_config* config, void* of, void** parameters, void** extra) {
  if (of == nullptr) return invalid_handle;
  if (config == nullptr) return invalid_value;
  bool cooperative = false;
  for (unsigned i = 0; i < config->attribute_count; ++i) {
    const launch_attribute& one = config->attributes[i];
    if (one.id == attribute_cooperative) cooperative = one.value.number != 0;
    if (one.id != attribute_cluster_dimension) continue;
    const unsigned* const extent = one.value.extent;
    if (extent[0] * extent[1] * extent[2] > 1) return refuse_call("a launch with clusters");
  }
  return launch(*kernel_of(of), config->grid, config->block, config->shared_bytes, cooperative,
                parameters, extra);
}
