// The list without locks of Misra and Chaudhuri (Performance evaluation of concurrent lock-free
// data structures on GPUs, ICPADS 2012, III-A), after Herlihy and Shavit (The art of multiprocessor
// programming, 9.8), with the orders that it needs. Nodes are used once. The paper does not say
// what `delete` does when it fails to mark: it looks again, as in the book.
#pragma once

#include "marked_nodes.hpp"

struct marked_list {
  static constexpr const char* spec = "set";

  marked_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN bool erase(int key) { return nodes.erase(key); }
  SIMT_FN bool contains(int key) { return nodes.contains(key); }
};
SIMT_SUBJECT(marked_list);
