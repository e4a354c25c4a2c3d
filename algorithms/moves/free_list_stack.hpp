// A move-ready stack that takes its nodes from a free list. The thesis's `scas` is part of a move
// whenever its thread moves something (M28), whoever calls it. A free list that is a move-ready
// stack as well calls it inside an insertion, before the insertion's own.
#pragma once

#include "containers_of.hpp"

/// `is_caught`: the free list calls `scas`. Else it has a compare-exchange of its own.
template <bool is_caught>
struct free_list_stack : movable_stack {
  static constexpr int spare = 2;  // nodes of each container

  shared_word free{0};

  template <class Memory>
  SIMT_FN void init(Memory& memory, int which) {
    const int first = 1 + which * spare;
    for (int i = 0; i < spare; ++i) {
      const int next = i + 1 < spare ? first + i + 1 : 0;
      memory.nodes[first + i].next.store(next, simt::memory_order_relaxed);
    }
    free.store(first, simt::memory_order_relaxed);
  }

  /// A node of an insertion that is aborted is not used again.
  template <class Memory, class Move>
  SIMT_FN bool insert(Memory& memory, int value, Move& move) {
    const int mine = take(memory, move);
    if (mine == 0) return false;
    memory.nodes[mine].value = value;
    while (true) {
      const int seen = memory.read(top);
      memory.nodes[mine].next.store(seen, simt::memory_order_release);
      const scas_result result = move.insert(top, seen, mine, 0);  // S7
      if (result != scas_result::failed) return result == scas_result::done;
    }
  }

 private:
  /// Nodes are not given back, so no node comes to the head a second time.
  template <class Memory, class Move>
  SIMT_FN int take(Memory& memory, Move& move) {
    while (true) {
      const int seen = memory.read(free);
      simt::check(seen != 0, "no node is left");
      const int next = memory.nodes[seen].next.load(simt::memory_order_acquire);
      scas_result result;
      if constexpr (is_caught) {
        result = move.insert(free, seen, next, 0);
      } else {
        result = Memory::alone::change(free, seen, next);
      }
      if (result == scas_result::done) return seen;
      if (result == scas_result::aborted) return 0;
    }
  }
};

template <bool is_caught>
using free_list_stacks = containers_of<free_list_stack<is_caught>, free_list_stack<is_caught>,
                                       double_words<double_word_faults{}>>;
