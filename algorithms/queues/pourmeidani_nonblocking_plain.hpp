// The non-blocking queue of Pourmeidani's thesis (section 3.2) with plain variables, as its listing
// has them: everything but the two compare-exchanges is a plain access. `q`, `Front` and `Rear` are
// read and written while others exchange them, and a node's `next` is its only sign that it is
// filled: races.
#pragma once

#include "pourmeidani.hpp"

struct pourmeidani_nonblocking_plain {
  static constexpr const char* spec = "queue";

  struct node {
    node* next{nullptr};
    int data{0};
  };
  template <class T>
  using reference = simt::atomic_ref<T, simt::thread_scope_device>;

  node nodes[pourmeidani::capacity];
  node* front{nullptr};
  node* rear{nullptr};
  int q{0};

  SIMT_FN void init() {
    front = &nodes[0];
    rear = &nodes[0];
  }

  SIMT_FN void enqueue(int value) {
    bool flag_r = false;
    do {
      int xp = q;
      if (reference<int>(q).compare_exchange_strong(xp, xp + 1, simt::memory_order_relaxed)) {
        nodes[xp + 1].data = value;
        flag_r = true;
        nodes[xp].next = &nodes[xp + 1];
        rear = &nodes[q];
      }
    } while (!flag_r);
  }

  SIMT_FN simt::maybe<int> dequeue() {
    int pvalue = 0;
    bool flag_f = false;
    do {
      node* t = front;
      if (t->next == nullptr) return {};
      pvalue = t->next->data;
      if (reference<node*>(front).compare_exchange_strong(t, t + 1, simt::memory_order_relaxed)) {
        flag_f = true;
      }
    } while (!flag_f);
    return pvalue;
  }
};
SIMT_SUBJECT(pourmeidani_nonblocking_plain);
