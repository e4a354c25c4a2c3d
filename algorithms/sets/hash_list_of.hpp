// The hash table without locks of Misra and Chaudhuri (Performance evaluation of concurrent
// lock-free data structures on GPUs, ICPADS 2012, III-B): one list, in which the node that begins
// bucket i has the key 0x80000000 | i, and the others keys of 31 bits. So keys are compared without
// a sign, and each walk that begins at the head of a bucket ends at that of the next one.
#pragma once

#include "marked_nodes.hpp"

template <int Buckets, class Key = unsigned>
struct hash_list_of {
  using nodes_type = marked_nodes_of<Key, Buckets>;
  static constexpr int nowhere = 0x20000000;  // the tail's link, as if it were a null pointer

  nodes_type nodes;

  SIMT_FN static Key head_key(int bucket) {
    return static_cast<Key>(0x80000000U | static_cast<unsigned>(bucket));
  }
  SIMT_FN static int bucket_of(int key) {
    return static_cast<int>(static_cast<unsigned>(key) % Buckets);
  }
  SIMT_FN static int head_of(int key) { return nodes_type::fixed + bucket_of(key); }

  /// The heads one behind the other, and the tail behind the last.
  SIMT_FN void init() {
    for (int bucket = 0; bucket < Buckets; ++bucket) {
      const int head = nodes_type::fixed + bucket;
      const int next = bucket + 1 < Buckets ? head + 1 : nodes_type::last;
      nodes[head].key = head_key(bucket);
      nodes[head].next.store(nodes_type::link_to(next), simt::memory_order_relaxed);
    }
    nodes[nodes_type::last].key = static_cast<Key>(0xffffffffU);
    nodes[nodes_type::last].next.store(nodes_type::link_to(nowhere), simt::memory_order_relaxed);
  }

  SIMT_FN bool insert(int key) { return nodes.insert(static_cast<Key>(key), head_of(key)); }
  SIMT_FN bool erase(int key) { return nodes.erase(static_cast<Key>(key), head_of(key)); }
  SIMT_FN bool contains(int key) { return nodes.contains(static_cast<Key>(key), head_of(key)); }
};
