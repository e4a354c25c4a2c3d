// `hash_list` with three buckets, for keys of 32 bits: nothing tells the key of a head from any
// other. 0x80000001 belongs to bucket 0, as 2^31 is no multiple of 3. Behind the head of bucket 0
// is the head of bucket 1, which has that key, so `erase` deletes it. (The paper has 10,000
// buckets, and says that the heads can never be deleted.)
#pragma once

#include "hash_list_of.hpp"

struct hash_list_any_key {
  static constexpr const char* spec = "set";

  hash_list_of<3> table;

  SIMT_FN void init() { table.init(); }

  SIMT_FN bool insert(int key) { return table.insert(key); }
  SIMT_FN bool erase(int key) { return table.erase(key); }
  SIMT_FN bool contains(int key) { return table.contains(key); }
};
SIMT_SUBJECT(hash_list_any_key);
