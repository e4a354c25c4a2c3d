// The subject says so by a function of that name.
#include "sim/subject/gates_copies.hpp"

#include <dlfcn.h>

namespace simt {

bool gates_copies(const subject_library& library) {
  return library.makes_copies && dlsym(library.handle, "simt_gates_copies") != nullptr;
}

}  // namespace simt
