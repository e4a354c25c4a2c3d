// Computes where lanes that part meet again: immediate post-dominators of basic blocks.
//
// Models: reconvergence at the immediate post-dominator, with blocks that cannot reach the end of
// the body left out ("never" if none is left). Does not model: earlier reconvergence points, as
// some hardware has for unstructured code.
//
// The algorithm is that of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001),
// on the reversed graph.
#include <algorithm>

#include "sim/subject/subject.hpp"

namespace simt {
namespace {

// One function's blocks with edges reversed. The root is a virtual end behind the last blocks.
// Nodes are numbered in reverse postorder from the root, which is 0. Blocks that cannot reach the
// end have no node.
struct reversed_graph {
  std::vector<std::uint32_t> block_of;                // by node; no_block for the root
  std::vector<std::vector<std::uint32_t>> followers;  // by node: nodes one step nearer to the end
};

using block_list = std::vector<std::uint32_t>;

// Postorder of a depth-first walk from `root`. Calls `visit_edge(from, to, open)` for every edge;
// `open`: `to` lies on the path that is being walked.
template <typename Successors, typename VisitEdge>
block_list postorder(std::size_t size, std::uint32_t root, Successors successors,
                     VisitEdge visit_edge) {
  enum class color : std::uint8_t { fresh, open, done };
  struct step {
    std::uint32_t node;
    std::size_t next;
  };
  std::vector<color> colors(size, color::fresh);
  std::vector<step> path{{root, 0}};
  block_list order;
  colors[root] = color::open;
  while (!path.empty()) {
    const std::uint32_t node = path.back().node;
    const block_list& targets = successors(node);
    if (path.back().next == targets.size()) {
      colors[node] = color::done;
      order.push_back(node);
      path.pop_back();
      continue;
    }
    const std::uint32_t target = targets[path.back().next++];
    visit_edge(node, target, colors[target] == color::open);
    if (colors[target] == color::fresh) {
      colors[target] = color::open;
      path.push_back({target, 0});
    }
  }
  return order;
}

// The function's last blocks. Code behind a call that ends the body is never run.
block_list last_blocks(const std::vector<basic_block>& blocks, const block_list& members) {
  block_list last;
  for (const std::uint32_t member : members) {
    if (blocks[member].ends_body) last.push_back(member);
  }
  if (!last.empty()) return last;
  for (const std::uint32_t member : members) {
    if (blocks[member].successors.empty()) last.push_back(member);
  }
  return last;
}

// `members` are one function's blocks, in ascending order.
reversed_graph reverse(const std::vector<basic_block>& blocks, const block_list& members) {
  // Local numbers are positions in `members`. The virtual end has the number behind them.
  const auto local = [&](std::uint32_t block) {
    const auto at = std::lower_bound(members.begin(), members.end(), block);
    return static_cast<std::uint32_t>(at - members.begin());
  };
  const auto end = static_cast<std::uint32_t>(members.size());
  const block_list last = last_blocks(blocks, members);
  const bool ends_body = !last.empty() && blocks[last.front()].ends_body;

  std::vector<block_list> forward(members.size() + 1), backward(members.size() + 1);
  const auto connect = [&](std::uint32_t from, std::uint32_t to) {
    forward[from].push_back(to);
    backward[to].push_back(from);
  };
  for (const std::uint32_t block : last) connect(local(block), end);
  for (const std::uint32_t block : members) {
    if (ends_body && blocks[block].ends_body) continue;
    for (const std::uint32_t successor : blocks[block].successors) {
      if (std::binary_search(members.begin(), members.end(), successor)) {
        connect(local(block), local(successor));
      }
    }
  }

  block_list order = postorder(
      backward.size(), end, [&](std::uint32_t node) -> const block_list& { return backward[node]; },
      [](std::uint32_t, std::uint32_t, bool) {});
  std::reverse(order.begin(), order.end());

  std::vector<std::uint32_t> node_of(backward.size(), no_block);
  for (std::uint32_t node = 0; node < order.size(); ++node) node_of[order[node]] = node;
  reversed_graph graph;
  for (const std::uint32_t number : order) {
    graph.block_of.push_back(number == end ? no_block : members[number]);
    block_list& followers = graph.followers.emplace_back();
    for (const std::uint32_t follower : forward[number]) {
      if (node_of[follower] != no_block) followers.push_back(node_of[follower]);
    }
  }
  return graph;
}

// The immediate post-dominator of each node. The root is its own.
block_list immediate_post_dominators(const reversed_graph& graph) {
  block_list dominator(graph.block_of.size(), no_block);
  dominator[0] = 0;
  const auto common = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (a > b) a = dominator[a];
      while (b > a) b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t node = 1; node < graph.block_of.size(); ++node) {
      std::uint32_t best = no_block;
      for (const std::uint32_t follower : graph.followers[node]) {
        if (dominator[follower] == no_block) continue;
        best = best == no_block ? follower : common(best, follower);
      }
      if (best != dominator[node]) {
        dominator[node] = best;
        changed = true;
      }
    }
  }
  return dominator;
}

void analyze_function(const std::vector<basic_block>& blocks, const block_list& members,
                      std::vector<block_role>& roles) {
  const reversed_graph graph = reverse(blocks, members);
  const block_list dominator = immediate_post_dominators(graph);
  for (std::uint32_t node = 1; node < graph.block_of.size(); ++node) {
    roles[graph.block_of[node]].immediate_post_dominator = graph.block_of[dominator[node]];
  }
  for (const std::uint32_t block : members) {
    block_role& role = roles[block];
    role.branches = blocks[block].successors.size() > 1;
    if (role.branches && role.immediate_post_dominator != no_block) {
      roles[role.immediate_post_dominator].is_reconvergence = true;
    }
  }
  const std::uint32_t entry = blocks[members.front()].function;
  postorder(
      blocks.size(), entry,
      [&](std::uint32_t block) -> const block_list& { return blocks[block].successors; },
      [&](std::uint32_t from, std::uint32_t to, bool open) {
        if (open) roles[from].back_edges.push_back(to);
      });
  // Blocks with one successor form trees, whose roots are the blocks with none or several.
  const auto next = [&](std::uint32_t block) {
    const bool ends = blocks[block].successors.size() != 1 || !roles[block].back_edges.empty();
    return ends ? no_block : blocks[block].successors.front();
  };
  for (const std::uint32_t block : members) {
    std::uint32_t length = 0;
    for (std::uint32_t at = next(block); at != no_block && length < 0xffff; at = next(at)) ++length;
    roles[block].order = 0xffff - length;
  }
}

}  // namespace

std::vector<block_role> analyze_control_flow(const std::vector<basic_block>& blocks) {
  std::vector<block_list> functions(blocks.size());
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    functions[blocks[block].function].push_back(block);
  }
  std::vector<block_role> roles(blocks.size());
  for (const block_list& members : functions) {
    if (!members.empty()) analyze_function(blocks, members, roles);
  }
  return roles;
}

}  // namespace simt
