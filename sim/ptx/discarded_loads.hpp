// Finds loads that the compiler has moved in front of the condition under which they are needed.
#pragma once

#include "sim/ptx/module.hpp"

namespace simt::ptx {

/// Compilers make `p ? s : 0`, where `s` is a variable at a known address, a load and a `selp` that
/// discards the value unless p holds. Such a load has no effect, but would count as an access: to
/// memory without a value, or in a race. Gives it the condition p. For that, a load and what is
/// computed from it move in front of the `selp`, if p is set in between. Indices of instructions
/// change within basic blocks.
void guard_discarded_loads(module& m);

}  // namespace simt::ptx
