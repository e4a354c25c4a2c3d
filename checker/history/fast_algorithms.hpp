// Algorithms for histories in which every value is put, or written, once. They take near-linear
// time, where the search takes exponential time at worst. docs/histories.md says why they are
// right.
#pragma once

#include "checker/history/collection.hpp"

namespace warpcheck {

/// Decides histories of FIFO queues. Henzinger, Sezgin, Vafeiadis: Aspect-oriented linearizability
/// proofs (CONCUR 2013); Bouajjani, Emmi, Enea, Hamza: On reducing linearizability to state
/// reachability (ICALP 2015).
fast_answer decide_fifo(std::span<const timed_step> steps, const step_words& words);

/// Decides histories of stacks. Takes off the outermost value again and again, and cuts the history
/// where the stack is surely empty. The idea is that of Lee, Mathur: Efficient decrease-and-conquer
/// linearizability monitoring (OOPSLA 2025).
fast_answer decide_lifo(std::span<const timed_step> steps, const step_words& words,
                        const history_limits& limits);

/// Decides histories of registers that start with `first`. Gibbons, Korach: Testing shared memories
/// (SIAM J. Comput. 1997), section 4: zones.
fast_answer decide_read_write(std::span<const timed_step> steps, const step_words& words,
                              simt::spec::value first);

}  // namespace warpcheck
