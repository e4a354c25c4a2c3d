// Breadth-first search over a concurrent queue (Pourmeidani's thesis, University of Mississippi
// 2018, 4.2.2): "visit the adjacent unvisited vertex and enqueue it in a queue", "if no adjacent
// vertex remains, dequeue the first vertex", "until the queue is empty". Which thread comes to a
// vertex first is left to chance ("the relaxed queue", figure 2.1).
#pragma once

#include "network.hpp"

/// When a vertex is given a level: when it is visited for the first time, as the thesis has it; or
/// also when a shorter way to it comes up, and then it is enqueued once more.
enum class visits { first, shorter };
/// What is asked of levels at the end.
enum class levels { any, right };

template <class Queue, visits how, levels wanted>
struct queue_bfs_of {
  network graph;
  Queue queue;

  SIMT_FN void init() {
    queue.init();
    queue.enqueue(0);
  }

  SIMT_FN void operator()() {
    for (auto v = queue.dequeue(); v; v = queue.dequeue()) visit(*v);
  }

  const char* check() const {
    if (!graph.reaches_all()) return "a vertex is not reached";
    if (wanted == levels::any) return nullptr;
    return graph.has_right_levels() ? nullptr : "a vertex has a wrong level";
  }

 private:
  SIMT_FN void visit(int vertex) {
    const int next = graph.level_of(vertex).load(simt::memory_order_acquire) + 1;
    for (int e = graph.first[vertex]; e < graph.first[vertex + 1]; ++e) {
      if (reach(graph.to[e], next)) queue.enqueue(graph.to[e]);
    }
  }
  SIMT_FN bool reach(int vertex, int next) {
    const auto level = graph.level_of(vertex);
    if constexpr (how == visits::first) {
      int none = network::unreached;
      return level.compare_exchange_strong(none, next, simt::memory_order_acq_rel);
    } else {
      return next < level.fetch_min(next, simt::memory_order_acq_rel);
    }
  }
};
