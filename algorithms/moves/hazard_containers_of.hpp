// Two containers and moves between them in one step (Cederman's thesis, 2011, chapter 4), with
// nodes that are used again when no hazard pointer names them.
//
// `move_hazards` gives the two operations of a move hazard pointers of their own, as definition 4.1
// asks; those of the insertion are set while the removal's are needed.
#pragma once

#include "containers_of.hpp"
#include "hazard_words.hpp"

/// Of insertions and removals that are no part of a move.
struct no_hazard_move {
  SIMT_FN static scas_result change(shared_word& word, int old, int fresh) {
    const bool is_done = word.compare_exchange_strong(old, fresh, simt::memory_order_seq_cst);
    return is_done ? scas_result::done : scas_result::failed;
  }
  SIMT_FN scas_result insert(shared_word& word, int old, int fresh, int) {
    return change(word, old, fresh);
  }
  SIMT_FN scas_result remove(shared_word& word, int old, int fresh, int) {
    return change(word, old, fresh);
  }
};

/// Algorithms 10 and 11. The word of a removal is a container's own: no node needs to be guarded.
template <class Memory, class Target>
struct one_hazard_move {
  Memory& memory;
  Target& target;
  int number;  // of the descriptor
  bool insertion_failed = false;

  SIMT_FN scas_result remove(shared_word& word, int old, int fresh, int value) {
    auto& d = memory[number];
    d.ptr1 = &word;
    d.old1 = old;
    d.new1 = fresh;
    insertion_failed = true;
    const bool is_done = target.insert(memory, value, *this);
    if (insertion_failed) return scas_result::aborted;
    return is_done ? scas_result::done : scas_result::failed;
  }
  /// `guard`: the node that the word is part of, which the caller guards; 0: none.
  SIMT_FN scas_result insert(shared_word& word, int old, int fresh, int guard) {
    auto& d = memory[number];
    d.ptr2 = &word;
    d.old2 = old;
    d.new2 = fresh;
    d.guard2 = guard;  // M27
    const double_word_result result = memory.change(number);
    insertion_failed = false;
    if (result == double_word_result::success) return scas_result::done;
    renew();
    return result == double_word_result::first_failed ? scas_result::aborted : scas_result::failed;
  }

 private:
  /// M30: others may still help the one that has failed.
  SIMT_FN void renew() {
    const auto& before = memory[number];
    number = memory.allocate();
    auto& d = memory[number];
    d.ptr1 = before.ptr1;
    d.old1 = before.old1;
    d.new1 = before.new1;
  }
};

/// Treiber's stack, move-ready (algorithms 16, 17). An insertion accesses no node but its own.
template <move_hazards hazards>
struct hazard_stack {
  shared_word top{0};

  template <class Memory>
  SIMT_FN void init(Memory&) {}

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
      memory.nodes.protect(hazards.removal, seen);  // S18
      if (memory.read(top) != seen) continue;
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
template <move_hazards hazards>
struct hazard_queue {
  shared_word head{0};
  shared_word tail{0};

  template <class Memory>
  SIMT_FN void init(Memory& memory) {
    const int dummy = memory.nodes.allocate();
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
      memory.nodes.protect(hazards.insertion, last);  // Q7
      if (last != memory.read(tail)) continue;
      const int next = memory.read(memory.nodes[last].next);
      if (next != 0) {
        no_hazard_move::change(tail, last, next);  // Q12
        continue;
      }
      const scas_result result = move.insert(memory.nodes[last].next, 0, mine, last);  // Q14
      if (result == scas_result::aborted) {
        memory.nodes.give_back(mine);
        return false;
      }
      if (result == scas_result::failed) continue;
      no_hazard_move::change(tail, last, mine);  // Q19
      return true;
    }
  }
  template <class Memory, class Move>
  SIMT_FN simt::maybe<int> remove(Memory& memory, Move& move) {
    while (true) {
      const int first = memory.read(head);
      memory.nodes.protect(hazards.removal, first);  // Q24
      if (first != memory.read(head)) continue;
      const int last = memory.read(tail);
      const int next = memory.read(memory.nodes[first].next);
      memory.nodes.protect(hazards.next, next);  // Q27
      if (first != memory.read(head)) continue;
      if (next == 0) return {};
      if (first == last) {
        no_hazard_move::change(tail, last, next);  // Q31
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

template <template <move_hazards> class A, template <move_hazards> class B, move_hazards hazards>
struct hazard_containers_of {
  using operations =
      simt::operation_list<simt_operation_push_a, simt_operation_push_b, simt_operation_pop_a,
                           simt_operation_pop_b, simt_operation_move_ab, simt_operation_move_ba>;
  using memory_type = hazard_words<hazards>;

  A<hazards> a;
  B<hazards> b;
  memory_type memory;

  SIMT_FN void init() {
    a.init(memory);
    b.init(memory);
  }
  SIMT_FN void push_a(int value) { push(a, value); }
  SIMT_FN void push_b(int value) { push(b, value); }
  SIMT_FN simt::maybe<int> pop_a() { return pop(a); }
  SIMT_FN simt::maybe<int> pop_b() { return pop(b); }
  SIMT_FN bool move_ab() { return move(a, b); }
  SIMT_FN bool move_ba() { return move(b, a); }

 private:
  template <class C>
  SIMT_FN void push(C& to, int value) {
    no_hazard_move alone;
    to.insert(memory, value, alone);
    memory.nodes.release();
  }
  template <class C>
  SIMT_FN simt::maybe<int> pop(C& from) {
    no_hazard_move alone;
    const simt::maybe<int> taken = from.remove(memory, alone);
    memory.nodes.release();
    return taken;
  }
  /// Hazard pointers guard nodes until both operations have ended.
  template <class From, class To>
  SIMT_FN bool move(From& from, To& to) {
    one_hazard_move<memory_type, To> by{memory, to, memory.allocate()};
    const bool is_moved = from.remove(memory, by).is_some;
    memory.nodes.release();
    return is_moved;
  }
};
