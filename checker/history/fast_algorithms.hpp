// Algorithms for histories in which every value is put, or written, once. Near-linear where the
// search is exponential at worst. docs/histories.md says why they are right.
#pragma once

#include "checker/history/collection.hpp"

namespace warpcheck {

/// FIFO queues. Henzinger, Sezgin, Vafeiadis: Aspect-oriented linearizability proofs (CONCUR 2013);
/// Bouajjani, Emmi, Enea, Hamza: On reducing linearizability to state reachability (ICALP 2015).
fast_answer decide_fifo(std::span<const timed_step> steps, const step_words& words);

/// Stacks: the outermost value is taken off again and again, and the history is cut where the stack
/// is surely empty; the idea of Lee, Mathur: Efficient decrease-and-conquer linearizability
/// monitoring (OOPSLA 2025).
fast_answer decide_lifo(std::span<const timed_step> steps, const step_words& words,
                        const history_limits& limits);

/// Registers that start with `first`. Gibbons, Korach: Testing shared memories (SIAM J. Comput.
/// 1997), section 4: zones.
fast_answer decide_read_write(std::span<const timed_step> steps, const step_words& words,
                              simt::spec::value first);

}  // namespace warpcheck
