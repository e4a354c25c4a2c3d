// Lanes insert their numbers into a sorted list. `links_first`: an element writes its link before
// others can find it. Otherwise it takes the head at once and writes its link afterwards, and
// whoever comes behind it waits for that link.
#pragma once

#include <simt/simt.hpp>

template <bool links_first>
struct sorted_insertions {
  static constexpr unsigned room = 4, end = room, unwritten = room + 1;
  using number = simt::atomic<unsigned, simt::thread_scope_device>;
  number head{end};
  number next[room]{number{unwritten}, number{unwritten}, number{unwritten}, number{unwritten}};

  /// Goes on from element `at`, which comes before `own`.
  SIMT_FN void insert_behind(unsigned at, unsigned own) {
    while (true) {
      unsigned behind = unwritten;
      while (behind == unwritten) behind = next[at].load(simt::memory_order_acquire);
      if (behind < own) {
        at = behind;
        continue;
      }
      next[own].store(behind, simt::memory_order_release);
      if (next[at].compare_exchange_strong(behind, own, simt::memory_order_acq_rel)) return;
    }
  }

  SIMT_FN void operator()() {
    const unsigned own = simt::thread_rank();
    if constexpr (links_first) {
      unsigned first = head.load(simt::memory_order_acquire);
      while (own < first) {
        next[own].store(first, simt::memory_order_release);
        if (head.compare_exchange_strong(first, own, simt::memory_order_acq_rel)) return;
      }
      insert_behind(first, own);
    } else {
      const unsigned first = head.fetch_min(own, simt::memory_order_acq_rel);
      if (own < first) {
        next[own].store(first, simt::memory_order_release);
      } else {
        insert_behind(first, own);
      }
    }
  }

  const char* check(const simt::launch_shape& shape) const {
    unsigned count = 0;
    for (unsigned at = head.host_value(); at != end; at = next[at].host_value()) {
      if (at > end || ++count > room) return "the list is torn";
    }
    return count == shape.threads ? nullptr : "an element is lost";
  }
};
