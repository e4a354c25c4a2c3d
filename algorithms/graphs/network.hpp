// A graph as lists of neighbours, and the level of each vertex: how many edges it is from vertex 0.
#pragma once

#include <simt/simt.hpp>

struct network {
  static constexpr int unreached = simt::sized(1'000, 1 << 30);

  /// The neighbours of vertex v are to[first[v]] up to before to[first[v + 1]].
  simt::device_array<int> first{"first"};
  simt::device_array<int> to{"to"};
  simt::device_array<int> level{"level"};

  network() {
    for (std::size_t v = 0; v < level.size(); ++v) level[v] = v == 0 ? 0 : unreached;
  }

  SIMT_FN int vertices() const { return static_cast<int>(level.size()); }
  SIMT_FN simt::atomic_ref<int, simt::thread_scope_device> level_of(int vertex) {
    return simt::atomic_ref<int, simt::thread_scope_device>(level[vertex]);
  }

  /// Levels are those of a breadth-first search if no edge leads further than to the next level,
  /// and each vertex but the first has a neighbour one level above. (Edges are listed at both
  /// ends.)
  bool has_right_levels() const {
    for (std::size_t v = 0; v < level.size(); ++v) {
      bool has_parent = v == 0;
      for (int e = first[v]; e < first[v + 1]; ++e) {
        if (level[to[e]] > level[v] + 1) return false;
        has_parent = has_parent || level[to[e]] == level[v] - 1;
      }
      if (level[v] != unreached && !has_parent) return false;
    }
    return level[0] == 0;
  }
  bool reaches_all() const {
    for (std::size_t v = 0; v < level.size(); ++v) {
      if (level[v] == unreached) return false;
    }
    return true;
  }
};
