// `hash_list` whose heads are inserted when they are needed, by whoever needs one, like any other
// node: from the head of the list a walk to the key of a head passes all keys of the buckets before
// it, as they are below. (The authors insert them by a kernel of their own: `hash_list_heads`.)
#pragma once

#include "hash_list_of.hpp"

struct hash_list_lazy_heads {
  static constexpr const char* spec = "set";
  static constexpr int buckets = 2;
  using nodes_type = marked_nodes_of<unsigned>;
  using table = hash_list_of<buckets>;

  nodes_type nodes;
  simt::atomic<int, simt::thread_scope_device> heads[buckets]{};  // 0: not known yet

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) {
    const int head = head_of(key);
    return nodes.insert(static_cast<unsigned>(key), head);
  }
  SIMT_FN bool erase(int key) {
    const int head = head_of(key);
    return nodes.erase(static_cast<unsigned>(key), head);
  }
  SIMT_FN bool contains(int key) {
    const int head = head_of(key);
    return nodes.contains(static_cast<unsigned>(key), head);
  }

 private:
  SIMT_FN int head_of(int key) {
    const int bucket = table::bucket_of(key);
    int head = heads[bucket].load(simt::memory_order_acquire);
    if (head == 0) {
      nodes.insert(table::head_key(bucket));
      head = nodes.find(table::head_key(bucket)).at;
      heads[bucket].store(head, simt::memory_order_release);
    }
    return head;
  }
};
SIMT_SUBJECT(hash_list_lazy_heads);
