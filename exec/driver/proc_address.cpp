// cuGetProcAddress: finds a call by the name and version that a program, or CUDA's runtime, asks
// for. Calls that are not supported are found too (refused_calls.cpp).
#include <dlfcn.h>
#include <string_view>

#include "exec/driver/state.hpp"

using namespace warpcheck::driver;

namespace {

// Calls that have later forms with other parameters, and the versions from which each form is
// meant.
struct later_form {
  std::string_view name;
  int since;
  const char* symbol;
};
constexpr later_form later_forms[] = {
    {"cuCtxCreate", 12050, "cuCtxCreate_v4"},
    {"cuCtxCreate", 11040, "cuCtxCreate_v3"},
    {"cuCtxCreate", 0, "cuCtxCreate_v2"},
    {"cuCtxGetDevice", 13000, "cuCtxGetDevice_v2"},
    {"cuCtxGetDevice", 0, "cuCtxGetDevice"},
    {"cuCtxSynchronize", 13000, "cuCtxSynchronize_v2"},
    {"cuCtxSynchronize", 0, "cuCtxSynchronize"},
    {"cuMemAdvise", 12020, "cuMemAdvise_v2"},
    {"cuMemAdvise", 0, "cuMemAdvise"},
    {"cuMemPrefetchAsync", 12020, "cuMemPrefetchAsync_v2"},
    {"cuMemPrefetchAsync", 0, "cuMemPrefetchAsync"},
    {"cuStreamGetCtx", 12050, "cuStreamGetCtx_v2"},
    {"cuStreamGetCtx", 0, "cuStreamGetCtx"},
    {"cuGetProcAddress", 12000, "cuGetProcAddress_v2"},
    {"cuGetProcAddress", 0, "cuGetProcAddress"},
};

void* symbol(const char* name) {
  static void* const self = [] {
    Dl_info here{};
    ::dladdr(reinterpret_cast<void*>(&the), &here);
    return ::dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }();
  return ::dlsym(self, name);
}

void* address_of(const std::string& name, int version) {
  for (const later_form& form : later_forms) {
    if (form.name == name && version >= form.since) return symbol(form.symbol);
  }
  for (const char* suffix : {"_v3", "_v2", ""}) {
    if (void* const found = symbol((name + suffix).c_str())) return found;
  }
  return nullptr;
}

}  // namespace

CUDA_CALL cuGetProcAddress_v2(const char* name, void** found, int version, std::uint64_t,
                              int* status) {
  if (name == nullptr || found == nullptr || *name == '\0') return invalid_value;
  *found = address_of(name, version);
  if (status != nullptr) *status = *found == nullptr ? 1 : 0;  // 1: there is no such symbol
  return *found == nullptr ? not_found : success;
}

CUDA_CALL cuGetProcAddress(const char* name, void** found, int version, std::uint64_t flags) {
  return cuGetProcAddress_v2(name, found, version, flags, nullptr);
}
