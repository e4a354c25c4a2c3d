// What move.cu measures: the containers of algorithms/moves, which move by DCAS, also with backoff;
// the same before they were made ready for moves; and sequential ones under a lock each. All take
// nodes that are never used again. One thread of each block is a client.
#pragma once

#include "locks/grote_locks.hpp"
#include "moves/containers_of.hpp"

namespace measured {

/// Of the client of a block.
struct move_client {
  unsigned pause;  // cycles, behind the next attempt that fails
  bool goes_on;    // what begins now belongs to the operation before
};
SIMT_FN move_client& this_client() { return simt::block_shared<move_client>(); }

__device__ inline void wait_cycles(unsigned cycles) {
  for (const long long begin = clock64(); clock64() - begin < cycles;) {
  }
}

struct at_once {
  SIMT_FN static void begin() {}
  SIMT_FN static void go_on() {}
  SIMT_FN static void sleep() {}
};
/// Each pause of an operation is twice as long as the one before.
struct doubled_pauses {
  static constexpr unsigned least = 128, most = 1U << 16;

  SIMT_FN static void begin() {
    move_client& mine = this_client();
    if (!mine.goes_on) mine.pause = least;
    mine.goes_on = false;
  }
  SIMT_FN static void go_on() { this_client().goes_on = true; }
  SIMT_FN static void sleep() {
    move_client& mine = this_client();
    wait_cycles(mine.pause);
    if (mine.pause < most) mine.pause *= 2;
  }
};

/// Of operations that are no part of a move.
template <class Backoff>
struct alone_with : no_move<simt::memory_order_acq_rel> {
  SIMT_FN alone_with() { Backoff::begin(); }
  SIMT_FN scas_result insert(shared_word& word, int old, int fresh, int) {
    return told(change(word, old, fresh));
  }
  SIMT_FN scas_result remove(shared_word& word, int old, int fresh, int) {
    return told(change(word, old, fresh));
  }

 private:
  SIMT_FN static scas_result told(scas_result result) {
    if (result == scas_result::failed) Backoff::sleep();
    return result;
  }
};

template <class Changes, class Backoff>
struct memory_with : move_memory<Changes> {
  using alone = alone_with<Backoff>;

  SIMT_FN int allocate() {
    Backoff::begin();  // a move begins by this, and takes another one when the second word fails
    return this->changes.allocate();
  }
  SIMT_FN double_word_result change(int number) {
    const double_word_result result = this->changes.change(number);
    if (result != double_word_result::success) Backoff::sleep();
    if (result == double_word_result::second_failed) Backoff::go_on();
    return result;
  }
};

/// Words that never have a descriptor: without moves.
struct single_words {
  SIMT_FN int read(shared_word& word) { return word.load(simt::memory_order_acquire); }
};

template <class A, class B, class Backoff>
using ready = containers_with<A, B, memory_with<double_words<double_word_faults{}>, Backoff>>;
template <class A, class B, class Backoff>
using unready = containers_with<A, B, memory_with<single_words, Backoff>>;

// --- under locks ---

struct plain_nodes {
  struct node {
    int value = 0;
    int next = 0;  // 0: none
  };

  node nodes[1 + move_nodes::threads * move_nodes::each + 2];
  int used[move_nodes::threads]{};

  SIMT_FN int allocate() {
    const int me = static_cast<int>(simt::thread_rank());
    simt::check(used[me] < move_nodes::each, "no node is left");
    return 1 + me * move_nodes::each + used[me]++;
  }
  SIMT_FN node& operator[](int number) { return nodes[number]; }
};

struct plain_stack {
  int top = 0;

  SIMT_FN void init(plain_nodes&, int) {}
  SIMT_FN void insert(plain_nodes& nodes, int value) {
    const int mine = nodes.allocate();
    nodes[mine].value = value;
    nodes[mine].next = top;
    top = mine;
  }
  SIMT_FN simt::maybe<int> remove(plain_nodes& nodes) {
    const int first = top;
    if (first == 0) return {};
    top = nodes[first].next;
    return nodes[first].value;
  }
};
struct plain_queue {
  int head = 0;  // the node before the first
  int tail = 0;

  SIMT_FN void init(plain_nodes&, int which) { head = tail = move_nodes::dummy(which); }
  SIMT_FN void insert(plain_nodes& nodes, int value) {
    const int mine = nodes.allocate();
    nodes[mine].value = value;
    nodes[tail].next = mine;
    tail = mine;
  }
  SIMT_FN simt::maybe<int> remove(plain_nodes& nodes) {
    const int first = nodes[head].next;
    if (first == 0) return {};
    head = first;
    return nodes[first].value;
  }
};

/// The thesis's lock: test-and-test-and-set. With backoff, who finds it taken looks again later.
template <class Backoff>
struct move_lock {
  grote::word<int> held{0};

  SIMT_FN void lock() {
    Backoff::begin();
    while (held.load(simt::memory_order_relaxed) != 0 ||
           held.exchange(1, simt::memory_order_acquire) != 0)
      Backoff::sleep();
  }
  SIMT_FN void unlock() { held.store(0, simt::memory_order_release); }
};

/// A move takes both locks, that of A first.
template <class A, class B, class Backoff>
struct locked {
  A a;
  move_lock<Backoff> lock_a;
  B b;
  move_lock<Backoff> lock_b;
  plain_nodes nodes;

  SIMT_FN void init() {
    a.init(nodes, 0);
    b.init(nodes, 1);
  }
  SIMT_FN void push_a(int value) { push(a, lock_a, value); }
  SIMT_FN void push_b(int value) { push(b, lock_b, value); }
  SIMT_FN simt::maybe<int> pop_a() { return pop(a, lock_a); }
  SIMT_FN simt::maybe<int> pop_b() { return pop(b, lock_b); }
  SIMT_FN bool move_ab() { return move(a, b); }
  SIMT_FN bool move_ba() { return move(b, a); }

 private:
  template <class C>
  SIMT_FN void push(C& to, move_lock<Backoff>& lock, int value) {
    lock.lock();
    to.insert(nodes, value);
    lock.unlock();
  }
  template <class C>
  SIMT_FN simt::maybe<int> pop(C& from, move_lock<Backoff>& lock) {
    lock.lock();
    const simt::maybe<int> taken = from.remove(nodes);
    lock.unlock();
    return taken;
  }
  template <class From, class To>
  SIMT_FN bool move(From& from, To& to) {
    lock_a.lock();
    lock_b.lock();
    const simt::maybe<int> taken = from.remove(nodes);
    if (taken) to.insert(nodes, *taken);
    lock_b.unlock();
    lock_a.unlock();
    return taken.is_some;
  }
};

}  // namespace measured
