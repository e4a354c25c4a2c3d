// The broken twin of `coupled_list`: it locks one node, the one before the place. An erase then
// unlinks a node that another thread has locked and is inserting or erasing behind, and that
// change is lost (The Art of Multiprocessor Programming, section 9.5, has the example).
#pragma once

#include "locked_nodes.hpp"

struct coupled_list_one_lock {
  static constexpr const char* spec = "set";

  locked_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) {
    const auto where = locked_place(key);
    const bool absent = nodes[where.at].key != key;
    if (absent) nodes.insert_at(where, key);
    nodes[where.before].unlock();
    return absent;
  }
  SIMT_FN bool erase(int key) {
    const auto where = locked_place(key);
    const bool present = nodes[where.at].key == key;
    if (present) nodes.unlink(where);
    nodes[where.before].unlock();
    return present;
  }
  SIMT_FN bool contains(int key) {
    const auto where = locked_place(key);
    const bool present = nodes[where.at].key == key;
    nodes[where.before].unlock();
    return present;
  }

 private:
  SIMT_FN locked_nodes::place locked_place(int key) {
    int before = locked_nodes::first;
    nodes[before].lock();
    int at = nodes[before].after();
    while (nodes[at].key < key) {
      nodes[at].lock();
      nodes[before].unlock();
      before = at;
      at = nodes[at].after();
    }
    return {before, at};
  }
};
SIMT_SUBJECT(coupled_list_one_lock);
