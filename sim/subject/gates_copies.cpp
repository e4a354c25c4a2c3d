// Asks the subject whether its agents wait at gates: it then has a function simt_gates_copies.
#include "sim/subject/gates_copies.hpp"

#include <dlfcn.h>

namespace simt {

bool gates_copies(const subject_library& library) {
  return library.makes_copies && dlsym(library.handle, "simt_gates_copies") != nullptr;
}

}  // namespace simt
