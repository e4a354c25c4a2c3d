// Refuses what CUDA's own runtime asks of the driver beside the API: undocumented tables of
// functions, and a proof that the driver is NVIDIA's. So NVIDIA's runtime cannot work here. Where
// the runtime is linked dynamically, the stand-in for the runtime takes its place.
#include "exec/driver/state.hpp"

using namespace warpcheck::driver;

CUDA_CALL cuGetExportTable(const void** table, const uuid*) {
  static const bool told = [] {
    tell(
        "CUDA's runtime is linked into the program statically, and needs NVIDIA's own driver: "
        "link it dynamically, with nvcc -cudart shared, or with CUDA_RUNTIME_LIBRARY Shared in "
        "CMake");
    return true;
  }();
  (void)told;
  if (table != nullptr) *table = nullptr;
  return not_found;
}
