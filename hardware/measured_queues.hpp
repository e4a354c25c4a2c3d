// The queues that queues.cu measures: those of algorithms/queues, with room for many operations.
// Compiled for the GPU, and by queues_cpu.cpp for the CPU. Each operation uses the node of its own
// number, which is `simt::thread_rank()`.
#pragma once

#include "queues/locked_ring.hpp"
#include "queues/michael_scott.hpp"
#include "queues/michael_scott_hazard.hpp"
#include "queues/pourmeidani_blocking.hpp"
#include "queues/pourmeidani_nonblocking_front_once.hpp"
#include "queues/tsigas_zhang_of.hpp"
#include "queues/vyukov.hpp"

namespace measured {

enum kind { enqueue, dequeue };

constexpr int most_operations =
    fresh_nodes::threads - 1;  // the queues' first node is the last one's

using tsigas_zhang = tsigas_zhang_of<fresh_nodes::threads>;

/// What an operation returns beside values, which are above 0: a dequeue found nothing; an enqueue
/// is done; an enqueue found no room.
constexpr int nothing = 0, done = 0, is_full = -1;

template <class Queue>
SIMT_FN int put(Queue& queue, int value) {
  if constexpr (requires { queue.enqueue(value) ? 1 : 0; })
    return queue.enqueue(value) ? done : is_full;
  else {
    queue.enqueue(value);
    return done;
  }
}
template <class Queue>
SIMT_FN int take(Queue& queue) {
  const simt::maybe<int> taken = queue.dequeue();
  return taken ? *taken : nothing;
}
template <class Queue>
SIMT_FN int carry_out(Queue& queue, int what, int value) {
  return what == enqueue ? put(queue, value) : take(queue);
}

/// Initializes the queue, if it has an init().
template <class Queue>
SIMT_FN void begin(Queue& queue) {
  if constexpr (requires { queue.init(); }) queue.init();
}

}  // namespace measured
