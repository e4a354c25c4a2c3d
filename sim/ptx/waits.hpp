// Finds polls of one location that a compiler or a library has written out several times.
#pragma once

#include "sim/ptx/module.hpp"

namespace simt::ptx {

/// A wait that reads one location in several places, and comes to one place when it has read
/// another value, becomes a loop around its first read. Indices of instructions change.
/// docs/kernels.md, "Waits with a back-off", has the argument.
void join_polls(module& m);

}  // namespace simt::ptx
