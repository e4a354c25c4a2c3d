// Computes the strongly connected components of a graph (Tarjan 1972).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace simt {

struct components {
  std::uint32_t count = 0;
  std::vector<std::uint32_t> of;     // by node: its component
  std::vector<std::uint32_t> order;  // nodes; successor components come first
};

/// Computes the components of nodes 0 .. count - 1. `successors(node, f)` calls f(to) for each
/// edge. The search follows the last of a node's edges first.
template <class Successors>
components components_of(std::size_t count, Successors successors) {
  constexpr std::uint32_t none = 0xffffffff;
  components all;
  all.of.assign(count, none);
  all.order.reserve(count);
  std::vector<std::uint32_t> index(count, none), low(count, 0), open;
  struct frame {
    std::uint32_t node;
    std::size_t left;  // size of `to` before the node's own edges
  };
  std::vector<frame> frames;
  std::vector<std::uint32_t> to;  // edges still to be followed
  std::uint32_t next = 0;
  const auto enter = [&](std::uint32_t node) {
    index[node] = low[node] = next++;
    open.push_back(node);
    frames.push_back({node, to.size()});
    successors(node, [&](std::uint32_t other) { to.push_back(other); });
  };
  for (std::uint32_t root = 0; root < count; ++root) {
    if (index[root] != none) continue;
    enter(root);
    while (!frames.empty()) {
      const auto [node, left] = frames.back();
      if (to.size() > left) {
        const std::uint32_t other = to.back();
        to.pop_back();
        if (index[other] == none) {
          enter(other);
        } else if (all.of[other] == none) {
          low[node] = std::min(low[node], index[other]);
        }
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
      if (low[node] != index[node]) continue;
      std::uint32_t member = none;
      while (member != node) {
        member = open.back();
        open.pop_back();
        all.of[member] = all.count;
        all.order.push_back(member);
      }
      ++all.count;
    }
  }
  return all;
}

/// Computes the components of nodes 0 .. count - 1, with edges that ascend by their first node. The
/// search follows a node's edges in their order.
inline components components_of_edges(
    std::size_t count, std::span<const std::pair<std::uint32_t, std::uint32_t>> edges) {
  std::vector<std::size_t> first(count + 1, 0);  // by node: where its edges begin
  for (const auto& [from, to] : edges) ++first[from + 1];
  for (std::size_t node = 0; node < count; ++node) first[node + 1] += first[node];
  return components_of(count, [&](std::uint32_t node, auto f) {
    for (std::size_t i = first[node + 1]; i > first[node]; --i) f(edges[i - 1].second);
  });
}

/// Returns, by node, whether a way leads from the node back to it.
template <class Successors>
std::vector<char> nodes_on_cycles(std::size_t count, Successors successors) {
  const components all = components_of(count, successors);
  std::vector<std::uint32_t> members(all.count, 0);
  for (std::uint32_t node = 0; node < count; ++node) ++members[all.of[node]];
  std::vector<char> on_cycle(count, 0);
  for (std::uint32_t node = 0; node < count; ++node) {
    bool again = members[all.of[node]] > 1;
    successors(node, [&](std::uint32_t to) { again = again || to == node; });
    on_cycle[node] = again ? 1 : 0;
  }
  return on_cycle;
}

}  // namespace simt
