// The broken twin of `hash_list` that compares keys with their sign: all heads, and the tail, are
// below the keys of a bucket, so a walk runs through the next bucket and past the end of the list.
#pragma once

#include "hash_list_of.hpp"

struct hash_list_signed {
  static constexpr const char* spec = "set";

  hash_list_of<2, int> table;

  SIMT_FN void init() { table.init(); }

  SIMT_FN bool insert(int key) { return table.insert(key); }
  SIMT_FN bool erase(int key) { return table.erase(key); }
  SIMT_FN bool contains(int key) { return table.contains(key); }
};
SIMT_SUBJECT(hash_list_signed);
