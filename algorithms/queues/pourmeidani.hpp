// What the queues of Pourmeidani's thesis (Performance evaluation of blocking and non-blocking
// concurrent queues on GPUs, University of Mississippi, 2018, chapter 3) have in common: an array
// of nodes that are used once, in the order of their places, and the kernel `Initialize`. Each
// reading of the listings of `Enqueue` and `Dequeue` is a subject of its own (docs/queues.md).
//
// Models: work-items as clients, so `get_global_id(0)` is the rank of the thread; `q`, `Front` and
//   `Rear` as one variable each for all of them (the listings write `q` for a parameter, and `&q`).
// Does not model: that OpenCL's `atomic_cmpxchg` orders nothing. The thesis has no fences; here
//   the orders are those that CUDA needs.
#pragma once

#include <simt/simt.hpp>

namespace pourmeidani {

constexpr int capacity = simt::sized(8, 1 << 21);                    // nodes, the dummy among them
constexpr int threads = simt::sized(4, simt::measured_threads / 4);  // as many flags

template <class T>
using shared = simt::atomic<T, simt::thread_scope_device>;

struct node {
  shared<node*> next{nullptr};
  int data{0};
};

/// The locks of section 3.1.
struct lock {
  shared<int> held{0};

  SIMT_FN bool acquire() {
    int expected = 0;
    return held.compare_exchange_strong(expected, 1, simt::memory_order_acquire);
  }
  SIMT_FN void release() { held.exchange(0, simt::memory_order_release); }
};

/// The blocking queue of section 3.1 up to `Dequeue`: `q` is the place behind the last node. What
/// the locks guard is plain; only `next` is written under one lock and read under the other.
struct blocking {
  static constexpr const char* spec = "queue";

  node nodes[capacity];
  node* front{nullptr};
  node* rear{nullptr};
  int q{0};
  lock lock_r;
  lock lock_f;

  SIMT_FN void init() {
    front = &nodes[0];
    rear = &nodes[0];
    q = q + 1;
  }

  /// What Enqueue does while it has LockR.
  SIMT_FN void append(int value) {
    nodes[q].data = value;
    rear->next.store(&nodes[q], simt::memory_order_release);
    rear = &nodes[q];
    q = q + 1;
  }

  /// The lines of Dequeue between LockF and the flag; false: `error`.
  SIMT_FN bool take_first(int& pvalue) {
    node* const next = front->next.load(simt::memory_order_acquire);
    if (next == nullptr) return false;
    pvalue = next->data;
    front = next;
    return true;
  }

  /// Enqueue, with a flag that is false at its start.
  SIMT_FN void enqueue(int value) {
    bool flag_r = false;
    do {
      if (lock_r.acquire()) {
        append(value);
        flag_r = true;
        lock_r.release();
      }
    } while (!flag_r);
  }
};

/// The non-blocking queue of section 3.2 up to `Dequeue`: `q` is the place of the last node that
/// was reserved.
struct nonblocking {
  static constexpr const char* spec = "queue";

  node nodes[capacity];
  shared<node*> front{nullptr};
  shared<node*> rear{nullptr};  // nobody reads it
  shared<int> q{0};

  SIMT_FN void init() {
    front.store(&nodes[0], simt::memory_order_relaxed);
    rear.store(&nodes[0], simt::memory_order_relaxed);
  }

  /// What Enqueue does with the node that it has reserved.
  SIMT_FN void link(int xp, int value) {
    nodes[xp + 1].data = value;
    nodes[xp].next.store(&nodes[xp + 1], simt::memory_order_release);
    rear.store(&nodes[q.load(simt::memory_order_relaxed)], simt::memory_order_relaxed);
  }

  /// Enqueue, with a flag that is false at its start.
  SIMT_FN void enqueue(int value) {
    bool flag_r = false;
    do {
      int xp = q.load(simt::memory_order_relaxed);
      if (q.compare_exchange_strong(xp, xp + 1, simt::memory_order_relaxed)) {
        link(xp, value);
        flag_r = true;
      }
    } while (!flag_r);
  }

  /// Dequeue, with `t` for the node in front throughout, and a flag that is false at its start.
  SIMT_FN simt::maybe<int> dequeue_from_front() {
    int pvalue = 0;
    bool flag_f = false;
    do {
      node* t = front.load(simt::memory_order_acquire);
      node* const next = t->next.load(simt::memory_order_acquire);
      if (next == nullptr) return {};
      pvalue = next->data;
      if (front.compare_exchange_strong(t, t + 1, simt::memory_order_acq_rel)) flag_f = true;
    } while (!flag_f);
    return pvalue;
  }
};

}  // namespace pourmeidani
