// `marked_list_volatile` with a fence before a node is linked, and one behind each link that is
// read.
#pragma once

#include "marked_list_cuda_of.hpp"

struct marked_list_fences {
  SIMT_FN static void before_link() {
    // Between a new node's words and the exchange that links it.
    simt::__threadfence();
  }
  SIMT_FN static void behind_read() {
    // Between a link that was read and what it leads to.
    simt::__threadfence();
  }
};

struct marked_list_fenced {
  static constexpr const char* spec = "set";

  marked_list_cuda_of<volatile int, marked_list_fences> list;

  SIMT_FN void init() { list.init(); }

  SIMT_FN bool insert(int key) { return list.insert(key); }
  SIMT_FN bool erase(int key) { return list.erase(key); }
  SIMT_FN bool contains(int key) { return list.contains(key); }
};
SIMT_SUBJECT(marked_list_fenced);
