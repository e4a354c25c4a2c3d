// The octree by whole blocks over the static task list of chapter 3 (thesis, 3.4.1, algorithm 4),
// as in static_octree_of.hpp: a launch for each level.
#pragma once

#include "wide_octree.hpp"

template <octree_fault fault = octree_fault::none>
struct wide_static_octree {
  using octree = wide_octree_of<fault>;

  /// What the host looks at and sets between launches.
  struct lists_in_use {
    int in = 0;  // the list that is read
    int tasks = 1;
    int tail_of_out = 0;
  };

  octree work;
  int lists[2][octree::most_waiting]{};
  lists_in_use use;

  SIMT_FN void init() { lists[0][0] = work.all(); }

  SIMT_FN void operator()() {
    auto& block = simt::block_shared<typename octree::block_memory>();
    for (int i = static_cast<int>(simt::block_index()); i < use.tasks;
         i += static_cast<int>(simt::block_count())) {
      work.divide(lists[use.in][i], block, [&](int added) {
        lists[1 - use.in][simt::atomicAdd(&use.tail_of_out, 1)] = added;
      });
    }
  }

  bool next_launch(std::uint32_t) {
    use = {1 - use.in, use.tail_of_out, 0};
    return use.tasks != 0;
  }

  const char* check() const { return work.check(); }
};
