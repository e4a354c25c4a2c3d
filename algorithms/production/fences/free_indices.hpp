// A list of free nodes by their index: blocks take nodes from the head and give them back there.
// `tag`: the head also counts its changes. `order`: that of the loads of the head.
#pragma once

#include <simt/simt.hpp>

template <bool tag, simt::memory_order order>
struct free_indices {
  static constexpr unsigned room = 3, none = room;
  using number = simt::atomic<unsigned, simt::thread_scope_device>;
  number head{0};
  number next[room]{number{1}, number{2}, number{none}};
  int used[room]{};

  SIMT_FN static unsigned index_of(unsigned word) { return word & 0xffU; }
  SIMT_FN static unsigned changed(unsigned word, unsigned index) {
    return tag ? ((word & ~0xffU) + 0x100U) | index : index;
  }

  SIMT_FN unsigned take() {
    unsigned word = head.load(order);
    while (index_of(word) != none) {
      const unsigned behind = next[index_of(word)].load(simt::memory_order_relaxed);
      if (head.compare_exchange_strong(word, changed(word, behind), simt::memory_order_acquire,
                                       order)) {
        break;
      }
    }
    return index_of(word);
  }

  SIMT_FN void give(unsigned index) {
    unsigned word = head.load(simt::memory_order_relaxed);
    do {
      next[index].store(index_of(word), simt::memory_order_relaxed);
    } while (!head.compare_exchange_strong(word, changed(word, index), simt::memory_order_release,
                                           simt::memory_order_relaxed));
  }

  /// The node is this block's alone: two that use it at once race.
  SIMT_FN void use(unsigned index) { used[index] = used[index] + 1; }

  SIMT_FN void operator()() {
    const unsigned first = take();
    if (first == none) return;
    use(first);
    const unsigned second = take();
    if (simt::block_index() == 0) give(first);
    if (second != none) use(second);
  }
};
