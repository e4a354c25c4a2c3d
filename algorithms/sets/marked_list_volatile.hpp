// The list of Misra and Chaudhuri (ICPADS 2012, III-A) as described for CUDA 4, with volatile words
// and without fences: a node may be seen before its element.
#pragma once

#include "marked_list_cuda_of.hpp"

struct marked_list_volatile {
  static constexpr const char* spec = "set";

  marked_list_cuda_of<volatile int> list;

  SIMT_FN void init() { list.init(); }

  SIMT_FN bool insert(int key) { return list.insert(key); }
  SIMT_FN bool erase(int key) { return list.erase(key); }
  SIMT_FN bool contains(int key) { return list.contains(key); }
};
SIMT_SUBJECT(marked_list_volatile);
