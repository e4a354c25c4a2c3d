// Breadth-first search by levels, a launch for each: the threads of a launch look at the vertices
// of one level, and give their neighbours the next one. The end of a launch orders all that is done
// in it before all that the next one does, so no level begins before the one above it is complete.
#pragma once

#include "network.hpp"

/// How a vertex gets its level from several threads, and when the host looks whether there was one.
enum class level_store { compare_exchange, relaxed, plain };
enum class level_end { looked_at_first, reset_first };

template <level_store how = level_store::compare_exchange,
          level_end end = level_end::looked_at_first>
struct level_bfs_of {
  network graph;
  int has_grown = 0;

  SIMT_FN void operator()(std::uint32_t launch) {
    const int here = static_cast<int>(launch);
    const int step = static_cast<int>(simt::grid_size());
    for (int v = static_cast<int>(simt::thread_rank()); v < graph.vertices(); v += step) {
      if (graph.level_of(v).load(simt::memory_order_relaxed) == here) visit(v, here + 1);
    }
  }

  bool next_launch(std::uint32_t) {
    if (end == level_end::reset_first) has_grown = 0;
    if (has_grown == 0) return false;
    has_grown = 0;
    return true;
  }

  const char* check() const {
    if (!graph.reaches_all()) return "a vertex is not reached";
    return graph.has_right_levels() ? nullptr : "a vertex has a wrong level";
  }

 private:
  SIMT_FN void visit(int vertex, int next) {
    for (int e = graph.first[vertex]; e < graph.first[vertex + 1]; ++e) {
      if (!reach(graph.to[e], next)) continue;
      simt::atomic_ref<int, simt::thread_scope_device>(has_grown).store(1,
                                                                        simt::memory_order_relaxed);
    }
  }
  /// Whether the vertex had no level yet.
  SIMT_FN bool reach(int vertex, int next) {
    const auto level = graph.level_of(vertex);
    if constexpr (how == level_store::compare_exchange) {
      int none = network::unreached;
      return level.compare_exchange_strong(none, next, simt::memory_order_relaxed);
    } else if (level.load(simt::memory_order_relaxed) != network::unreached) {
      return false;
    } else if constexpr (how == level_store::relaxed) {
      level.store(next, simt::memory_order_relaxed);
    } else {
      graph.level[vertex] = next;
    }
    return true;
  }
};
