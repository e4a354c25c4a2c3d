// The second thread pops a node and brings it back, while the others pop.
#pragma once

#include <simt/simt.hpp>

#include "kernel.hpp"

struct lesson : node_stack {
  static constexpr const char* spec = "stack";
};
SIMT_SUBJECT(lesson);
