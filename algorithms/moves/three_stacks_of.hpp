// An element moves from one stack into several others in one step: moves of n objects (Cederman's
// thesis, 2011, section 4.8). The removal's `scas` calls the first insertion, whose `scas` calls
// the next one, and that of the last insertion changes all words together. The stacks are those of
// the moves between two.
#pragma once

#include "containers_of.hpp"
#include "many_words.hpp"

SIMT_OPERATION(pop_c);
SIMT_OPERATION(spread);
SIMT_OPERATION(spread_twice);

/// Nodes that are never used again, and descriptors of `Words`.
template <class Words>
struct spread_memory {
  using alone = no_move<simt::memory_order_acq_rel>;
  static constexpr bool guards = false;

  move_nodes nodes;
  Words changes;

  SIMT_FN int read(shared_word& word) { return changes.read(word); }
};

/// A removal and `targets` insertions of what it removes.
template <class Memory, int targets>
struct one_spread {
  Memory& memory;
  movable_stack* to[targets];
  int number;  // of the descriptor
  int value = 0;
  int failed_at = 0;

  /// The `scas` of the insertion with this entry of the descriptor.
  template <int at>
  struct insertion {
    one_spread& all;

    SIMT_FN scas_result insert(shared_word& word, int old, int fresh, int) {
      return all.template change<at>(word, old, fresh);
    }
  };

  SIMT_FN scas_result remove(shared_word& word, int old, int fresh, int taken) {
    value = taken;
    return change<0>(word, old, fresh);
  }

 private:
  template <int at>
  SIMT_FN scas_result change(shared_word& word, int old, int fresh) {
    set(number, at, &word, old, fresh);
    if constexpr (at < targets) {
      insertion<at + 1> next{*this};
      if (to[at]->insert(memory, value, next)) return scas_result::done;
    } else {
      failed_at = memory.changes.change(number);
      if (failed_at == Memory::no_failure) return scas_result::done;
      renew();
    }
    // An insertion that finds another value begins again, and ends those that it calls.
    return failed_at == at ? scas_result::failed : scas_result::aborted;
  }

  /// Others may still help the one that has failed.
  SIMT_FN void renew() {
    const int before = number;
    number = memory.changes.allocate(targets + 1);
    for (int i = 0; i <= targets; ++i) {
      const auto& e = memory.changes[before].entries[i];
      set(number, i, e.word, e.old, e.fresh);
    }
  }
  SIMT_FN void set(int descriptor, int at, shared_word* word, int old, int fresh) {
    auto& e = memory.changes[descriptor].entries[at];
    e.word = word;
    e.old = old;
    e.fresh = fresh;
  }
};

/// What of it is done otherwise.
enum class spread_fault {
  none,
  apart,  // the second insertion is an operation of its own, behind the move
};

template <spread_fault fault = spread_fault::none, bool claims = true>
struct three_stacks_of {
  using operations = simt::operation_list<simt_operation_push_a, simt_operation_pop_a,
                                          simt_operation_pop_b, simt_operation_pop_c,
                                          simt_operation_spread, simt_operation_spread_twice>;
  static constexpr const char* spec = "three_stacks";

  struct memory_type : spread_memory<many_words<3, claims>> {
    static constexpr int no_failure = many_words<3, claims>::nowhere;
  };

  movable_stack a, b, c;
  memory_type memory;

  SIMT_FN void push_a(int value) { push(a, value); }
  SIMT_FN simt::maybe<int> pop_a() { return pop(a); }
  SIMT_FN simt::maybe<int> pop_b() { return pop(b); }
  SIMT_FN simt::maybe<int> pop_c() { return pop(c); }

  /// From a into b and c. Returns whether there was an element.
  SIMT_FN bool spread() {
    if constexpr (fault == spread_fault::apart) {
      one_spread<memory_type, 1> by{memory, {&b}, memory.changes.allocate(2)};
      const simt::maybe<int> taken = a.remove(memory, by);
      if (taken.is_some) push(c, *taken);
      return taken.is_some;
    } else {
      one_spread<memory_type, 2> by{memory, {&b, &c}, memory.changes.allocate(3)};
      return a.remove(memory, by).is_some;
    }
  }
  /// From a into b, two times: the same object, which the thesis leaves out.
  SIMT_FN bool spread_twice() {
    one_spread<memory_type, 2> by{memory, {&b, &b}, memory.changes.allocate(3)};
    return a.remove(memory, by).is_some;
  }

 private:
  SIMT_FN void push(movable_stack& to, int value) {
    typename memory_type::alone alone;
    to.insert(memory, value, alone);
  }
  SIMT_FN simt::maybe<int> pop(movable_stack& from) {
    typename memory_type::alone alone;
    return from.remove(memory, alone);
  }
};
