// The priority queue without locks of Sundell and Tsigas (Fast and lock-free concurrent priority
// queues for multi-thread systems, JPDC 65, 2005), on their skip list with two levels. An insert
// whose key is there gives that node a new value, so that `delete_min` does not take what was
// first before.
#pragma once

#include "../sets/sundell_nodes.hpp"

template <sundell_ways ways>
struct sundell_queue_of {
  static constexpr const char* spec = "priority_set";
  using list_type = sundell_list<sundell_nodes_once<two_levels_by_key>, ways>;

  list_type list;

  SIMT_FN void init() { list.init(); }

  SIMT_FN bool insert(int key) { return list.insert(key); }
  SIMT_FN simt::maybe<int> delete_min() {
    while (true) {
      typename list_type::place where{};
      where.before[0] = list_type::first;
      list.look(where, 0, INT_MIN + 1);
      if (where.at == list_type::last) return {};
      const int seen = list.value_of(where.at);
      const bool is_first = list.nodes[list_type::first].link(0) == list_type::link_to(where.at);
      if ((seen & 1) == 0 && is_first && list.change_value(where.at, seen, seen | 1)) {
        const int key = list.nodes[where.at].key;
        list.remove(where);
        return key;
      }
    }
  }
};
