// Two containers and moves between them in one step (Cederman's thesis, 2011, chapter 4): the CAS
// with which an insertion or a removal takes effect is `scas`, which a move makes part of a DCAS.
//
// Nodes are never used again, so they need no hazard pointers.
#pragma once

#include "double_words.hpp"

/// What a `scas` comes to. `aborted`: the move begins again, or fails.
enum class scas_result { failed, done, aborted };

struct move_nodes {
  static constexpr int threads = 3;
  static constexpr int each = 4;

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
  /// The node that was allocated last, and that nobody else has seen.
  SIMT_FN void give_back() { --used[simt::thread_rank()]; }
  SIMT_FN static int dummy(int which) { return 1 + threads * each + which; }
  SIMT_FN node& operator[](int number) { return nodes[number]; }
};

template <class Changes>
struct move_memory {
  move_nodes nodes;
  Changes changes;

  SIMT_FN int read(shared_word& word) { return changes.read(word); }
};

/// Of insertions and removals that are no part of a move.
struct no_move {
  SIMT_FN static scas_result change(shared_word& word, int old, int fresh) {
    const bool is_done = word.compare_exchange_strong(old, fresh, simt::memory_order_acq_rel);
    return is_done ? scas_result::done : scas_result::failed;
  }
  SIMT_FN scas_result insert(shared_word& word, int old, int fresh) {
    return change(word, old, fresh);
  }
  SIMT_FN scas_result remove(shared_word& word, int old, int fresh, int) {
    return change(word, old, fresh);
  }
};

/// Algorithms 10 and 11: the removal's `scas` calls the insertion, whose `scas` changes both.
template <class Memory, class Target>
struct one_move {
  Memory& memory;
  Target& target;
  int number;  // of the descriptor
  bool insertion_failed = false;

  SIMT_FN scas_result remove(shared_word& word, int old, int fresh, int value) {
    auto& d = memory.changes[number];
    d.ptr1 = &word;
    d.old1 = old;
    d.new1 = fresh;
    insertion_failed = true;
    const bool is_done = target.insert(memory, value, *this);
    if (insertion_failed) return scas_result::aborted;
    return is_done ? scas_result::done : scas_result::failed;
  }
  SIMT_FN scas_result insert(shared_word& word, int old, int fresh) {
    auto& d = memory.changes[number];
    d.ptr2 = &word;
    d.old2 = old;
    d.new2 = fresh;
    const double_word_result result = memory.changes.change(number);
    insertion_failed = false;
    if (result == double_word_result::success) return scas_result::done;
    renew();
    return result == double_word_result::first_failed ? scas_result::aborted : scas_result::failed;
  }

 private:
  /// M30: others may still help the one that has failed.
  SIMT_FN void renew() {
    const int before = number;
    number = memory.changes.allocate();
    auto& d = memory.changes[number];
    d.ptr1 = memory.changes[before].ptr1;
    d.old1 = memory.changes[before].old1;
    d.new1 = memory.changes[before].new1;
  }
};

/// Treiber's stack, move-ready (algorithms 16, 17).
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
      const scas_result result = move.insert(top, seen, mine);
      if (result == scas_result::done) return true;
      if (result == scas_result::aborted) {
        memory.nodes.give_back();
        return false;
      }
    }
  }
  template <class Memory, class Move>
  SIMT_FN simt::maybe<int> remove(Memory& memory, Move& move) {
    while (true) {
      const int seen = memory.read(top);
      if (seen == 0) return {};
      const int next = memory.nodes[seen].next.load(simt::memory_order_acquire);
      const int value = memory.nodes[seen].value;
      if (move.remove(top, seen, next, value) == scas_result::done) return value;
    }
  }
};

/// Michael and Scott's queue, move-ready (algorithms 14, 15).
struct movable_queue {
  shared_word head{0};
  shared_word tail{0};

  template <class Memory>
  SIMT_FN void init(Memory& memory, int which) {
    head.store(memory.nodes.dummy(which), simt::memory_order_relaxed);
    tail.store(memory.nodes.dummy(which), simt::memory_order_relaxed);
  }

  template <class Memory, class Move>
  SIMT_FN bool insert(Memory& memory, int value, Move& move) {
    const int mine = memory.nodes.allocate();
    memory.nodes[mine].value = value;
    memory.nodes[mine].next.store(0, simt::memory_order_release);
    while (true) {
      const int last = memory.read(tail);
      const int next = memory.read(memory.nodes[last].next);
      if (next != 0) {
        no_move::change(tail, last, next);  // Q12
        continue;
      }
      const scas_result result = move.insert(memory.nodes[last].next, 0, mine);  // Q14
      if (result == scas_result::aborted) {
        memory.nodes.give_back();
        return false;
      }
      if (result == scas_result::failed) continue;
      no_move::change(tail, last, mine);  // Q19
      return true;
    }
  }
  template <class Memory, class Move>
  SIMT_FN simt::maybe<int> remove(Memory& memory, Move& move) {
    while (true) {
      const int first = memory.read(head);
      const int last = memory.read(tail);
      const int next = memory.read(memory.nodes[first].next);
      if (first != memory.read(head)) continue;  // Q28
      if (next == 0) return {};
      if (first == last) {
        no_move::change(tail, last, next);  // Q31
        continue;
      }
      const int value = memory.nodes[next].value;
      if (move.remove(head, first, next, value) == scas_result::done) return value;  // Q34
    }
  }
};

SIMT_OPERATION(push_a);
SIMT_OPERATION(push_b);
SIMT_OPERATION(pop_a);
SIMT_OPERATION(pop_b);
SIMT_OPERATION(move_ab);
SIMT_OPERATION(move_ba);

/// `Changes`: how two words change together.
template <class A, class B, class Changes>
struct containers_of {
  using operations =
      simt::operation_list<simt_operation_push_a, simt_operation_push_b, simt_operation_pop_a,
                           simt_operation_pop_b, simt_operation_move_ab, simt_operation_move_ba>;
  using memory_type = move_memory<Changes>;

  A a;
  B b;
  memory_type memory;

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
    no_move alone;
    to.insert(memory, value, alone);
  }
  template <class C>
  SIMT_FN simt::maybe<int> pop(C& from) {
    no_move alone;
    return from.remove(memory, alone);
  }
  template <class From, class To>
  SIMT_FN bool move(From& from, To& to) {
    one_move<memory_type, To> by{memory, to, memory.changes.allocate()};
    return from.remove(memory, by).is_some;
  }
};
