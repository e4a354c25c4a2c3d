// Strongly connected components of generated graphs, against reachability.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "sim/automaton/components.hpp"

namespace {

using edge_list = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

edge_list generate(std::mt19937& random, std::uint32_t count) {
  edge_list edges;
  for (std::uint32_t from = 0; from < count; ++from) {
    for (auto left = random() % 4; left > 0; --left) {
      edges.emplace_back(from, static_cast<std::uint32_t>(random() % count));
    }
  }
  return edges;
}

/// Returns, by node, which nodes can be reached from it by any number of edges.
std::vector<std::vector<bool>> reachable(std::uint32_t count, const edge_list& edges) {
  std::vector<std::vector<bool>> all(count, std::vector<bool>(count));
  for (std::uint32_t node = 0; node < count; ++node) all[node][node] = true;
  for (std::uint32_t round = 0; round < count; ++round) {
    for (const auto& [from, to] : edges) {
      for (std::uint32_t node = 0; node < count; ++node) {
        if (all[to][node]) all[from][node] = true;
      }
    }
  }
  return all;
}

}  // namespace

TEST_CASE("nodes are in one component if each can be reached from the other") {
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    const auto count = static_cast<std::uint32_t>(1 + random() % 12);
    const edge_list edges = generate(random, count);
    const auto reach = reachable(count, edges);
    const simt::components parts = simt::components_of_edges(count, edges);
    REQUIRE(parts.order.size() == count);
    for (std::uint32_t a = 0; a < count; ++a) {
      for (std::uint32_t b = 0; b < count; ++b) {
        CHECK((parts.of[a] == parts.of[b]) == (reach[a][b] && reach[b][a]));
        // Components that can be reached come first.
        if (reach[a][b]) CHECK(parts.of[b] <= parts.of[a]);
      }
    }
    CHECK(std::ranges::is_sorted(parts.order, {}, [&](std::uint32_t n) { return parts.of[n]; }));
    CHECK(parts.count == parts.of[parts.order.back()] + 1);
  }
}

TEST_CASE("the edges of a node are followed in order") {
  const edge_list edges{{0, 1}, {0, 2}};
  CHECK(simt::components_of_edges(3, edges).of == std::vector<std::uint32_t>{2, 0, 1});
  const auto backwards = simt::components_of(3, [&](std::uint32_t node, auto f) {
    for (const auto& [from, to] : edges) {
      if (from == node) f(to);
    }
  });
  CHECK(backwards.of == std::vector<std::uint32_t>{2, 1, 0});
}
