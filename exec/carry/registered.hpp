// What the object of a kernel has registered while it was loaded.
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
