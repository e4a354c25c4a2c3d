// The skip list of Misra and Chaudhuri (ICPADS 2012, III-C) with three levels. How high a node
// rises is drawn: the environment chooses.
#pragma once

#include "skip_nodes.hpp"

struct drawn_levels {
  static constexpr int levels = 3;
  struct node : skip_node_of<levels> {
    int top{0};
  };

  SIMT_FN static int top_of(node& at, int) { return at.top; }
  SIMT_FN static void draw(node& at) { at.top = static_cast<int>(simt::choose(levels)); }
};

struct drawn_skip_list {
  static constexpr const char* spec = "set";
  using list = skip_nodes_of<skip_nodes_once<drawn_levels>>;

  list nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN bool erase(int key) { return nodes.erase(key); }
  SIMT_FN bool contains(int key) { return nodes.contains(key); }

 protected:
  using node = drawn_levels::node;

  const node& at(int number) const { return nodes.nodes.all[number]; }
  int after(int number, int level) const {
    return list::number_of(at(number).next[level].host_value());
  }
  bool is_erased(int number) const { return list::is_marked(at(number).next[0].host_value()); }
  bool is_on(int number, int level) const {
    int there = list::first;
    while (there != number && there != list::last) there = after(there, level);
    return there == number;
  }
};
