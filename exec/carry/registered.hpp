// What a kernel's shared object registers while it is loaded.
#pragma once

#include <vector>

#include "exec/carry/grid.hpp"

namespace warpcheck::carry {

struct registrations {
  const simt::detail::subject_entry* subject = nullptr;
  std::vector<shared_slot> shared;
};

registrations& registered();

}  // namespace warpcheck::carry
