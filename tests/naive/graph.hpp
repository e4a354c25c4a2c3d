// The control-flow graph of a program, with the basic blocks that a compiler makes without
// optimizing, and its post-dominators.
#pragma once

#include <set>
#include <vector>

#include "tests/naive/program.hpp"

namespace naive {

/// What a basic block holds: an assignment to a register, or a visible operation.
struct instruction {
  bool visible = false;
  int target = 0;    // assignment
  expression value;  // assignment
  operation op;      // visible operation
};

inline constexpr int no_block = -1;

struct basic_block {
  std::vector<instruction> code;
  /// Where it goes: `selector` is compared with the labels, in order; the last successor, which
  /// has no label, is for all else. The end of the body has no successor.
  expression selector;
  std::vector<int> labels;
  std::vector<int> successors;
};

struct flow_graph {
  std::vector<basic_block> blocks;  // the first is the entry
  int end = 0;                      // all returns go through this block
  std::vector<int> reconvergence;   // of each block, its immediate post-dominator, or no_block
  std::set<int> meeting_points;     // the immediate post-dominators of blocks that branch
};

flow_graph flow_graph_of(const program& p);

}  // namespace naive
