// Two containers and moves between them in one step (Cederman's thesis, 2011, chapter 4): the CAS
// with which an insertion or a removal takes effect is `scas`, which a move makes part of a DCAS.
//
// `move_memory` has nodes that are never used again, and so need no hazard pointers; `hazard_words`
// has nodes that are. A memory `guards` nodes or does not: the listings are the same but for that.
#pragma once

#include "double_words.hpp"

/// What a `scas` comes to. `aborted`: the move begins again, or fails.
enum class scas_result { failed, done, aborted };

struct move_nodes {
  static constexpr int threads = move_clients;
  static constexpr int each = simt::sized(4, 1000);

  struct node {
    int value{0};
    shared_word next{0};  // the number of a node; 0: none
  };

  node nodes[1 + threads * each + 2];  // number 0 is none; the last two are dummies of queues
  int used[threads]{};

  SIMT_FN int allocate() {
    const int me = static_cast<int>(simt::thread_rank());
    simt::check(used[me] < each, "no node is left");
    return 1 + me * each + used[me]++;
  }
  /// Of the node that was allocated last, and that nobody else has seen.
  SIMT_FN void give_back(int) { --used[simt::thread_rank()]; }
  /// The node has been removed.
  SIMT_FN void remove(int) {}
  SIMT_FN static int dummy(int which) { return 1 + threads * each + which; }
  SIMT_FN node& operator[](int number) { return nodes[number]; }
};

/// Of insertions and removals that are no part of a move.
template <simt::memory_order order>
struct no_move {
  SIMT_FN static scas_result change(shared_word& word, int old, int fresh) {
    const bool is_done = word.compare_exchange_strong(old, fresh, order);
    return is_done ? scas_result::done : scas_result::failed;
  }
  SIMT_FN scas_result insert(shared_word& word, int old, int fresh, int) {
    return change(word, old, fresh);
  }
  SIMT_FN scas_result remove(shared_word& word, int old, int fresh, int) {
    return change(word, old, fresh);
  }
};

/// `Changes`: how two words change together.
template <class Changes>
struct move_memory {
  using alone = no_move<simt::memory_order_acq_rel>;
  static constexpr bool guards = false;

  move_nodes nodes;
  Changes changes;

  SIMT_FN int dummy(int which) { return move_nodes::dummy(which); }
  SIMT_FN int allocate() { return changes.allocate(); }
  SIMT_FN decltype(auto) operator[](int number) { return changes[number]; }
  SIMT_FN double_word_result change(int number) { return changes.change(number); }
  SIMT_FN int read(shared_word& word) { return changes.read(word); }
  /// An operation has ended.
  SIMT_FN void release() {}
};

/// Algorithms 10 and 11: the removal's `scas` calls the insertion, whose `scas` changes both.
template <class Memory, class Target>
struct one_move {
  Memory& memory;
  Target& target;
  int number;  // of the descriptor
  bool insertion_failed = false;

  SIMT_FN scas_result remove(shared_word& word, int old, int fresh, int value) {
    auto&& d = memory[number];
    d.ptr1 = &word;
    d.old1 = old;
    d.new1 = fresh;
    insertion_failed = true;
    const bool is_done = target.insert(memory, value, *this);
    if (insertion_failed) return scas_result::aborted;
    return is_done ? scas_result::done : scas_result::failed;
  }
  /// `guard`: the node that the word is part of, which the caller guards; 0: none.
  SIMT_FN scas_result insert(shared_word& word, int old, int fresh, [[maybe_unused]] int guard) {
    auto&& d = memory[number];
    d.ptr2 = &word;
    d.old2 = old;
    d.new2 = fresh;
    if constexpr (Memory::guards) d.guard2 = guard;  // M27
    const double_word_result result = memory.change(number);
    insertion_failed = false;
    if (result == double_word_result::success) return scas_result::done;
    renew();
    return result == double_word_result::first_failed ? scas_result::aborted : scas_result::failed;
  }

 private:
  /// M30: others may still help the one that has failed.
  SIMT_FN void renew() {
    const int before = number;
    number = memory.allocate();
    auto&& d = memory[number];
    d.ptr1 = memory[before].ptr1;
    d.old1 = memory[before].old1;
    d.new1 = memory[before].new1;
  }
};

/// Treiber's stack, move-ready (algorithms 16, 17). An insertion accesses no node but its own.
struct movable_stack {
  shared_word top{0};

  template <class Memory>
  SIMT_FN void init(Memory&, int) {}

  template <class Memory, class Move>
  SIMT_FN bool insert(Memory& memory, int value, Move& move) {
    const int mine = memory.nodes.allocate();
    memory.nodes[mine].value = value;
    while (true) {
      const int seen = memory.read(top);
      memory.nodes[mine].next.store(seen, simt::memory_order_release);
      const scas_result result = move.insert(top, seen, mine, 0);  // S7
      if (result == scas_result::done) return true;
      if (result == scas_result::aborted) {
        memory.nodes.give_back(mine);
        return false;
      }
    }
  }
  template <class Memory, class Move>
  SIMT_FN simt::maybe<int> remove(Memory& memory, Move& move) {
    while (true) {
      const int seen = memory.read(top);
      if (seen == 0) return {};
      if constexpr (Memory::guards) {
        memory.nodes.protect(Memory::slots.removal, seen);  // S18
        if (memory.read(top) != seen) continue;
      }
      const int next = memory.nodes[seen].next.load(simt::memory_order_acquire);
      const int value = memory.nodes[seen].value;
      if (move.remove(top, seen, next, value) == scas_result::done) {  // S22
        memory.nodes.remove(seen);
        return value;
      }
    }
  }
};

/// Michael and Scott's queue, move-ready (algorithms 14, 15). An insertion needs no hazard pointer
/// for the node behind the last (hp2 of the thesis): it only hands its number on.
struct movable_queue {
  shared_word head{0};
  shared_word tail{0};

  template <class Memory>
  SIMT_FN void init(Memory& memory, int which) {
    const int dummy = memory.dummy(which);
    head.store(dummy, simt::memory_order_relaxed);
    tail.store(dummy, simt::memory_order_relaxed);
  }

  template <class Memory, class Move>
  SIMT_FN bool insert(Memory& memory, int value, Move& move) {
    const int mine = memory.nodes.allocate();
    memory.nodes[mine].value = value;
    memory.nodes[mine].next.store(0, simt::memory_order_release);
    while (true) {
      const int last = memory.read(tail);
      if constexpr (Memory::guards) {
        memory.nodes.protect(Memory::slots.insertion, last);  // Q7
        if (last != memory.read(tail)) continue;
      }
      const int next = memory.read(memory.nodes[last].next);
      if (next != 0) {
        Memory::alone::change(tail, last, next);  // Q12
        continue;
      }
      const scas_result result = move.insert(memory.nodes[last].next, 0, mine, last);  // Q14
      if (result == scas_result::aborted) {
        memory.nodes.give_back(mine);
        return false;
      }
      if (result == scas_result::failed) continue;
      Memory::alone::change(tail, last, mine);  // Q19
      return true;
    }
  }
  template <class Memory, class Move>
  SIMT_FN simt::maybe<int> remove(Memory& memory, Move& move) {
    while (true) {
      const int first = memory.read(head);
      if constexpr (Memory::guards) {
        memory.nodes.protect(Memory::slots.removal, first);  // Q24
        if (first != memory.read(head)) continue;
      }
      const int last = memory.read(tail);
      const int next = memory.read(memory.nodes[first].next);
      if constexpr (Memory::guards) memory.nodes.protect(Memory::slots.next, next);  // Q27
      if (first != memory.read(head)) continue;                                      // Q28
      if (next == 0) return {};
      if (first == last) {
        Memory::alone::change(tail, last, next);  // Q31
        continue;
      }
      const int value = memory.nodes[next].value;
      if (move.remove(head, first, next, value) == scas_result::done) {  // Q34
        memory.nodes.remove(first);
        return value;
      }
    }
  }
};

SIMT_OPERATION(push_a);
SIMT_OPERATION(push_b);
SIMT_OPERATION(pop_a);
SIMT_OPERATION(pop_b);
SIMT_OPERATION(move_ab);
SIMT_OPERATION(move_ba);

template <class A, class B, class Memory>
struct containers_with {
  using operations =
      simt::operation_list<simt_operation_push_a, simt_operation_push_b, simt_operation_pop_a,
                           simt_operation_pop_b, simt_operation_move_ab, simt_operation_move_ba>;

  A a;
  B b;
  Memory memory;

  SIMT_FN void init() {
    a.init(memory, 0);
    b.init(memory, 1);
  }
  SIMT_FN void push_a(int value) { push(a, value); }
  SIMT_FN void push_b(int value) { push(b, value); }
  SIMT_FN simt::maybe<int> pop_a() { return pop(a); }
  SIMT_FN simt::maybe<int> pop_b() { return pop(b); }
  SIMT_FN bool move_ab() { return move(a, b); }
  SIMT_FN bool move_ba() { return move(b, a); }

 protected:
  template <class C>
  SIMT_FN void push(C& to, int value) {
    typename Memory::alone alone;
    to.insert(memory, value, alone);
    memory.release();
  }
  template <class C>
  SIMT_FN simt::maybe<int> pop(C& from) {
    typename Memory::alone alone;
    const simt::maybe<int> taken = from.remove(memory, alone);
    memory.release();
    return taken;
  }
  /// Hazard pointers guard nodes until both operations have ended.
  template <class From, class To>
  SIMT_FN bool move(From& from, To& to) {
    one_move<Memory, To> by{memory, to, memory.allocate()};
    const bool is_moved = from.remove(memory, by).is_some;
    memory.release();
    return is_moved;
  }
};

/// With nodes that are never used again.
template <class A, class B, class Changes>
using containers_of = containers_with<A, B, move_memory<Changes>>;
