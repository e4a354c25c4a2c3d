// Finds accesses that LLVM's ThreadSanitizer pass leaves out because of their size: the machine
// would not see them.
#pragma once

#include <istream>
#include <optional>
#include <string>

#include "sim/compile/llvm/device_code.hpp"

namespace simt::detail {

struct unseen_access {
  std::string type;  // as LLVM writes it: "i24", "<8 x i32>"
  source_place place;
};

/// The first access of device code that may be to shared memory and has a size other than 1, 2, 4,
/// 8 or 16 bytes. `module`: LLVM's textual form after instrumentation. Local variables that no pass
/// could put into registers are known by their `alloca`.
std::optional<unseen_access> find_unseen_access(std::istream& module);

}  // namespace simt::detail
