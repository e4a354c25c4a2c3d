// The skip list without locks of Misra and Chaudhuri (Performance evaluation of concurrent
// lock-free data structures on GPUs, ICPADS 2012, III-C): linked from level zero up, marked from
// the top down.
#pragma once

#include "skip_nodes.hpp"

struct skip_list {
  static constexpr const char* spec = "set";

  skip_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN bool erase(int key) { return nodes.erase(key); }
  SIMT_FN bool contains(int key) { return nodes.contains(key); }
};
SIMT_SUBJECT(skip_list);
