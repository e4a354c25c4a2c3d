// The list of Misra and Chaudhuri (Performance evaluation of concurrent lock-free data structures
// on GPUs, ICPADS 2012, III-A and III-E) as described for CUDA 4: links are changed by `atomicCAS`,
// and nodes come from an array by `atomicInc`. Whether words are volatile, and fences, are open.
#pragma once

#include <climits>

#include "marked_nodes.hpp"

/// Without any order.
struct marked_list_no_fences {
  SIMT_FN static void before_link() {}
  SIMT_FN static void behind_read() {}
};

template <class Word, class Fences = marked_list_no_fences>
struct marked_list_cuda_of : private marked_links {
  static constexpr const char* spec = "set";
  static constexpr int first = 0;
  static constexpr int last = 1;
  static constexpr int capacity = 8;  // nodes in all

  struct node {
    Word element = 0;
    Word next = 0;
  };
  struct place {
    int pred;
    int curr;
    bool has_key;
  };

  node nodes[2 + capacity];
  unsigned index = 0;

  SIMT_FN void init() {
    nodes[first].element = INT_MIN;
    nodes[first].next = link_to(last);
    nodes[last].element = INT_MAX;
  }

  SIMT_FN bool insert(int key) {
    int mine = 0;
    while (true) {
      const auto where = find(key);
      if (where.has_key) return false;
      if (mine == 0) mine = 2 + static_cast<int>(simt::atomicInc(&index, capacity));
      nodes[mine].element = key;
      nodes[mine].next = link_to(where.curr);
      Fences::before_link();
      if (change(where.pred, link_to(where.curr), link_to(mine))) return true;
    }
  }
  SIMT_FN bool erase(int key) {
    while (true) {
      const auto where = find(key);
      if (!where.has_key) return false;
      const int link = link_of(where.curr);
      if (is_marked(link)) continue;
      if (!change(where.curr, link, marked(link))) continue;
      change(where.pred, link_to(where.curr), link);
      return true;
    }
  }
  SIMT_FN bool contains(int key) {
    int curr = number_of(link_of(first));
    while (nodes[curr].element < key) curr = number_of(link_of(curr));
    return nodes[curr].element == key && !is_marked(link_of(curr));
  }

 private:
  SIMT_FN place find(int key) {
    while (true) {
      int pred = first;
      int curr = number_of(link_of(pred));
      bool is_whole = true;
      while (is_whole) {
        const int link = link_of(curr);
        if (is_marked(link)) {
          is_whole = change(pred, link_to(curr), link_to(number_of(link)));
        } else {
          const int found = nodes[curr].element;
          if (found >= key) return {pred, curr, found == key};
          pred = curr;
        }
        curr = number_of(link);
      }
    }
  }
  SIMT_FN bool change(int number, int expected, int desired) {
    int* const word = const_cast<int*>(&nodes[number].next);
    return simt::atomicCAS(word, expected, desired) == expected;
  }
  SIMT_FN int link_of(int number) {
    const int link = nodes[number].next;
    Fences::behind_read();
    return link;
  }
};
