// The blocking queue of Pourmeidani's thesis (section 3.1) with plain nodes, as its listing has
// them. In an empty queue Front and Rear are one node: an enqueue writes its `next` under LockR
// while a dequeue reads it under LockF. Two locks do not exclude each other, so this is a race.
#pragma once

#include "pourmeidani.hpp"

struct pourmeidani_blocking_plain {
  static constexpr const char* spec = "queue";

  struct node {
    node* next{nullptr};
    int data{0};
  };

  node nodes[pourmeidani::capacity];
  node* front{nullptr};
  node* rear{nullptr};
  int q{0};
  pourmeidani::lock lock_r;
  pourmeidani::lock lock_f;

  SIMT_FN void init() {
    front = &nodes[0];
    rear = &nodes[0];
    q = q + 1;
  }

  SIMT_FN void enqueue(int value) {
    bool flag_r = false;
    do {
      if (lock_r.acquire()) {
        nodes[q].data = value;
        rear->next = &nodes[q];
        rear = &nodes[q];
        flag_r = true;
        q = q + 1;
        lock_r.release();
      }
    } while (!flag_r);
  }

  SIMT_FN simt::maybe<int> dequeue() {
    simt::maybe<int> taken;
    bool flag_f = false;
    do {
      if (lock_f.acquire()) {
        if (front->next != nullptr) {
          taken = front->next->data;
          front = front->next;
        }
        flag_f = true;
        lock_f.release();
      }
    } while (!flag_f);
    return taken;
  }
};
SIMT_SUBJECT(pourmeidani_blocking_plain);
