// A ring of cells to which tickets are handed out, as in Vyukov's bounded queue. The lanes of a
// warp that come together take their tickets by one atomic operation of one lane: a `fetch_add` for
// enqueues, and for dequeues a compare-exchange, which takes no more tickets than there are values.
// So `head` and `tail` get one operation for up to 32 of the queue.
//
// An enqueue waits while its cell is full, and a dequeue with a ticket waits for the enqueue that
// has the same one. So the queue blocks. `enqueue` takes effect where its ticket is taken. A
// dequeue takes effect where `tail` was read: `head` has not moved from there to the exchange.
//
// The lanes meet behind the ticket of an enqueue, so that each sees its own value in the queue
// later. They meet before the ticket of a dequeue, so that the lane that takes it sees what each of
// them has enqueued.
#pragma once

#include "../lanes_together.hpp"

/// `Cells`: a power of two, so that tickets may wrap around. `reads_head_first`: of a dequeue.
template <unsigned Cells, class Lanes = lanes_together, bool reads_head_first = true>
struct warp_tickets_of {
  static_assert((Cells & (Cells - 1)) == 0);

  using shared = simt::atomic<unsigned, simt::thread_scope_device>;

  struct cell {
    shared turn;  // the ticket of the enqueue that may fill it; one more: of the dequeue
    int value;
  };

  shared tail{0};  // enqueues' next ticket
  shared head{0};  // dequeues' next ticket
  cell cells[Cells];

  SIMT_FN void init() {
    for (unsigned i = 0; i < Cells; ++i) cells[i].turn.store(i, simt::memory_order_relaxed);
  }

  SIMT_FN void enqueue(int value) {
    const auto lanes = Lanes::here();
    unsigned first = 0;
    if (lanes.is_first()) first = tail.fetch_add(lanes.count(), simt::memory_order_relaxed);
    lanes.meet();
    const unsigned ticket = simt::shfl(lanes.all, first, lanes.first()) + lanes.rank();
    cell& mine = cells[ticket % Cells];
    while (mine.turn.load(simt::memory_order_acquire) != ticket) {
    }
    mine.value = value;
    mine.turn.store(ticket + 1, simt::memory_order_release);
  }

  SIMT_FN simt::maybe<int> dequeue() {
    const auto lanes = Lanes::here();
    lanes.meet();
    tickets taken{0, 0};
    if (lanes.is_first()) taken = take(lanes.count());
    const unsigned ticket = simt::shfl(lanes.all, taken.first, lanes.first()) + lanes.rank();
    if (lanes.rank() >= simt::shfl(lanes.all, taken.count, lanes.first())) return {};
    cell& mine = cells[ticket % Cells];
    while (mine.turn.load(simt::memory_order_acquire) != ticket + 1) {
    }
    const int value = mine.value;
    mine.turn.store(ticket + Cells, simt::memory_order_release);
    return value;
  }

 private:
  struct tickets {
    unsigned first;
    unsigned count;
  };

  /// Takes as many tickets of dequeues as are wanted and there are values.
  SIMT_FN tickets take(unsigned wanted) {
    while (true) {
      unsigned behind = 0;
      if constexpr (!reads_head_first) behind = tail.load(simt::memory_order_relaxed);
      unsigned first = head.load(simt::memory_order_acquire);
      if constexpr (reads_head_first) behind = tail.load(simt::memory_order_relaxed);
      const unsigned count = simt::min(wanted, behind - first);
      if (count == 0 ||
          head.compare_exchange_strong(first, first + count, simt::memory_order_release,
                                       simt::memory_order_relaxed))
        return {first, count};
    }
  }
};
