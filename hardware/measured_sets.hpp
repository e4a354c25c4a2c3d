// The sets that sets.cu measures: those of algorithms/sets, with room for many operations. Compiled
// for the GPU, and by sets_cpu.cpp for the CPU. An operation that needs a node uses that of its own
// number, which is `simt::thread_rank()`.
#pragma once

#include "sets/hash_list_of.hpp"
#include "sets/marked_nodes.hpp"
#include "sets/michael_list_hazard.hpp"
#include "sets/skip_nodes.hpp"
#include "sets/sundell_nodes.hpp"

namespace measured {

enum kind { insert, erase, contains };

/// The numbers of Misra and Chaudhuri, section IV.
constexpr int buckets = 10'000;
constexpr int most_levels = 32;
constexpr int most_operations = marked_nodes::threads;

/// Each level has half the nodes of the one below it.
SIMT_FN int level_drawn() {
  int top = 0;
  for (unsigned bits = simt::choose(1U << 16); (bits & 1U) != 0; bits >>= 1) ++top;
  return top;
}
struct halved_levels {
  static constexpr int levels = most_levels;
  struct node : skip_node_of<levels> {
    int top{0};
  };

  SIMT_FN static int top_of(node& at, int) { return at.top; }
  SIMT_FN static void draw(node& at) { at.top = level_drawn(); }
};
struct sundell_levels {
  static constexpr int levels = most_levels;
  SIMT_FN static int draw(int) { return level_drawn(); }
};

using list = marked_nodes;
using hash_list = hash_list_of<buckets>;
using skip_list = skip_nodes_of<skip_nodes_once<halved_levels>>;
using sundell_skip_list = sundell_list<sundell_nodes_once<sundell_levels>>;
using sundell_skip_list_counted = sundell_list<sundell_counted<sundell_nodes_once<sundell_levels>>>;

/// Initializes the set, if it has an init().
template <class Set>
SIMT_FN void begin(Set& set) {
  if constexpr (requires { set.init(); }) set.init();
}
template <class Set>
SIMT_FN bool carry_out(Set& set, int what, int key) {
  // For all kinds at one place, where the lanes of a warp come together.
  if constexpr (requires { set.carry_out({}, key); })
    return set.carry_out(static_cast<typename Set::kind>(what), key);
  if (what == insert) return set.insert(key);
  if (what == erase) return set.erase(key);
  return set.contains(key);
}

}  // namespace measured
