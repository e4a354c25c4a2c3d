// The broken twin of `level_bfs` that does all levels in one launch, each thread at its own pace: a
// thread may look at a vertex before another one has given it its level, and does not come back.
#pragma once

#include "network.hpp"

struct level_bfs_one_launch {
  network graph;

  SIMT_FN void operator()() {
    const int step = static_cast<int>(simt::grid_size());
    for (int here = 0; here < graph.vertices(); ++here) {
      for (int v = static_cast<int>(simt::thread_rank()); v < graph.vertices(); v += step) {
        if (graph.level_of(v).load(simt::memory_order_relaxed) == here) visit(v, here + 1);
      }
    }
  }

  const char* check() const {
    if (!graph.reaches_all()) return "a vertex is not reached";
    return graph.has_right_levels() ? nullptr : "a vertex has a wrong level";
  }

 private:
  SIMT_FN void visit(int vertex, int next) {
    for (int e = graph.first[vertex]; e < graph.first[vertex + 1]; ++e) {
      int none = network::unreached;
      graph.level_of(graph.to[e]).compare_exchange_strong(none, next, simt::memory_order_relaxed);
    }
  }
};
SIMT_SUBJECT(level_bfs_one_launch);
