// The broken twin of `lazy_list`: it does not look whether the two nodes that it has locked are
// still neighbours, nor whether they are still in the list.
#pragma once

#include "locked_nodes.hpp"

struct lazy_list_unvalidated {
  static constexpr const char* spec = "set";

  locked_nodes nodes;
  locked_nodes::shared<int> marked[2 + locked_nodes::threads * locked_nodes::each]{};

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
    if (present) {
      marked[where.at].store(1, simt::memory_order_release);
      nodes.unlink(where);
    }
    unlock(where);
    return present;
  }
  SIMT_FN bool contains(int key) {
    const int at = find(key).at;
    return nodes[at].key == key && !is_marked(at);
  }

 private:
  SIMT_FN locked_nodes::place find(int key) {
    int before = locked_nodes::first;
    int at = nodes[before].after();
    while (nodes[at].key < key) {
      before = at;
      at = nodes[at].after();
    }
    return {before, at};
  }
  SIMT_FN locked_nodes::place locked_place(int key) {
    const auto where = find(key);
    nodes[where.before].lock();
    nodes[where.at].lock();
    return where;
  }
  SIMT_FN void unlock(locked_nodes::place where) {
    nodes[where.before].unlock();
    nodes[where.at].unlock();
  }
  SIMT_FN bool is_marked(int number) {
    return marked[number].load(simt::memory_order_acquire) != 0;
  }
};
SIMT_SUBJECT(lazy_list_unvalidated);
