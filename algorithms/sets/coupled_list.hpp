// A set in a sorted list, with a lock for each node, taken hand over hand (lock coupling: Bayer and
// Schkolnick, Concurrency of operations on B-trees, 1977; Herlihy and Shavit, The Art of
// Multiprocessor Programming, section 9.5).
#pragma once

#include "locked_nodes.hpp"

struct coupled_list {
  static constexpr const char* spec = "set";

  locked_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) {
    const auto where = locked_place(key);
    const bool absent = nodes[where.at].key != key;
    if (absent) nodes.insert_at(where, key);
    unlock(where);
    return absent;
  }
  SIMT_FN bool erase(int key) {
    const auto where = locked_place(key);
    const bool present = nodes[where.at].key == key;
    if (present) nodes.unlink(where);
    unlock(where);
    return present;
  }
  SIMT_FN bool contains(int key) {
    const auto where = locked_place(key);
    const bool present = nodes[where.at].key == key;
    unlock(where);
    return present;
  }

 private:
  SIMT_FN locked_nodes::place locked_place(int key) {
    int before = locked_nodes::first;
    nodes[before].lock();
    int at = nodes[before].after();
    nodes[at].lock();
    while (nodes[at].key < key) {
      nodes[before].unlock();
      before = at;
      at = nodes[at].after();
      nodes[at].lock();
    }
    return {before, at};
  }
  SIMT_FN void unlock(locked_nodes::place where) {
    nodes[where.before].unlock();
    nodes[where.at].unlock();
  }
};
SIMT_SUBJECT(coupled_list);
