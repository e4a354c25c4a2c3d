// The queue of Tsigas and Zhang (A simple, fast and scalable non-blocking concurrent FIFO queue for
// shared memory multiprocessor systems, SPAA 2001), to which Cederman's thesis (3.4.3) refers: a
// ring whose `head` and `tail` move every second time only, so that both operations look for the
// actual ends. An empty cell has one of two nulls; in each round the cells that are emptied get the
// other one, so that an enqueue that slept through a round fails. The paper was not at hand: this
// is its algorithm as it is generally given.
//
// `head` is the last cell known to be emptied, `tail` one that is not behind the first free cell;
// one cell stays free between the last value and `head`.
#pragma once

#include <simt/simt.hpp>

template <int Cells, bool two_nulls = true, bool looks_again = true>
struct tsigas_zhang_of {
  static_assert(Cells % 2 == 0);

  using shared = simt::atomic<int, simt::thread_scope_device>;

  shared head{0};
  shared tail{1};
  shared null_of_round{two_nulls ? 1 : 0};  // for cells behind cell 0 that are emptied
  shared cells[Cells]{};                    // a null, 0 or 1; or a value, 2 more

  SIMT_FN void init() { cells[0].store(null_of_round.load()); }

  /// False: the queue is full.
  SIMT_FN bool enqueue(int value) {
    while (true) {
      const int old_tail = tail.load(order);
      int at = old_tail;
      int seen = cells[at].load(order);
      int behind = next(at);
      while (!is_null(seen)) {
        if (old_tail != tail.load(order) || behind == head.load(order)) break;
        at = behind;
        seen = cells[at].load(order);
        behind = next(at);
      }
      if (old_tail != tail.load(order)) continue;
      if (behind == head.load(order)) {
        const int first = next(behind);
        seen = cells[first].load(order);
        if (looks_again && old_tail != tail.load(order)) continue;
        if (!is_null(seen)) return false;
        // A dequeue has emptied that cell and not moved `head` yet.
        if (first == 0) null_of_round.store(seen, order);
        change(head, behind, first);
        continue;
      }
      if (old_tail != tail.load(order)) continue;
      if (change(cells[at], seen, value + 2)) {
        if (behind % 2 == 0) change(tail, old_tail, behind);
        return true;
      }
    }
  }

  SIMT_FN simt::maybe<int> dequeue() {
    while (true) {
      const int old_head = head.load(order);
      int at = next(old_head);
      int seen = cells[at].load(order);
      while (is_null(seen)) {
        if (old_head != head.load(order)) break;
        if (at == tail.load(order)) return {};
        at = next(at);
        seen = cells[at].load(order);
      }
      if (old_head != head.load(order)) continue;
      if (at == tail.load(order)) {
        change(tail, at, next(at));
        continue;
      }
      const int null = null_for(at, old_head);
      if (old_head != head.load(order)) continue;
      if (change(cells[at], seen, null)) {
        if (at == 0) null_of_round.store(null, order);
        if (at % 2 == 0) change(head, old_head, at);
        return seen - 2;
      }
    }
  }

 private:
  static constexpr simt::memory_order order = simt::memory_order_seq_cst;

  SIMT_FN static int next(int cell) { return (cell + 1) % Cells; }
  SIMT_FN static bool is_null(int content) { return content < 2; }
  SIMT_FN static bool change(shared& word, int expected, int desired) {
    return word.compare_exchange_strong(expected, desired, order);
  }
  SIMT_FN int null_for(int cell, int old_head) {
    if constexpr (!two_nulls) return 0;
    if (cell == 0) return 1 - null_of_round.load(order);
    if (cell < old_head) return cells[0].load(order);
    return null_of_round.load(order);
  }
};
