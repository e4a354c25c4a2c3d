// A choice that nothing in the program decides.
#pragma once

#include <simt/detail/backend.hpp>

namespace simt {

/// A number below `n`. In the simulator the environment chooses it: each value is explored (1 to
/// 65536 of them), and the choice touches no memory. On a GPU it is a hash of the thread's number,
/// of how many choices it has made, and of the round's seed; `n` is not 0.
SIMT_FN unsigned choose(unsigned n) { return detail::choose(n); }

}  // namespace simt
