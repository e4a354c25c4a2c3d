// The hash table without locks of Misra and Chaudhuri (ICPADS 2012, III-B), with two buckets whose
// heads are there from the start.
#pragma once

#include "hash_list_of.hpp"

struct hash_list {
  static constexpr const char* spec = "set";

  hash_list_of<2> table;

  SIMT_FN void init() { table.init(); }

  SIMT_FN bool insert(int key) { return table.insert(key); }
  SIMT_FN bool erase(int key) { return table.erase(key); }
  SIMT_FN bool contains(int key) { return table.contains(key); }
};
SIMT_SUBJECT(hash_list);
