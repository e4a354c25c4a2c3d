// The heads of the hash table of Misra and Chaudhuri (ICPADS 2012, III-B), inserted by a kernel of
// concurrent inserts, thread i that of bucket i, as in the program that they published.
#pragma once

#include "hash_list_of.hpp"

struct hash_list_heads {
  using nodes_type = marked_nodes_of<unsigned>;

  nodes_type nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN void operator()() {
    const auto bucket = static_cast<int>(simt::thread_rank());
    simt::check(nodes.insert(hash_list_of<1>::head_key(bucket)), "the head was there");
  }
  const char* check(const simt::launch_shape& shape) const {
    int at = nodes_type::first;
    for (unsigned i = 0; i < shape.threads; ++i) {
      at = nodes.nodes[at].next.host_value() >> 1;
      if (nodes.nodes[at].key != (0x80000000U | i)) return "a head is missing, or misplaced";
    }
    return nodes.nodes[at].next.host_value() == nodes_type::last << 1 ? nullptr : "no end";
  }
};
SIMT_SUBJECT(hash_list_heads);
