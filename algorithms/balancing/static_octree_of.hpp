// The octree over the static task list of chapter 3 (thesis, 3.4.1, algorithm 4): a launch does the
// tasks of one list, each by one block, and adds new tasks to another one; between launches the
// host lets the lists change places. Algorithm 4 as printed never ends: its loop looks at
// `blockcnt`, and its body sets `blocks`.
#pragma once

#include "octree.hpp"

/// How a new task gets its place in the list: by a fetch-and-add, or (a broken twin) by a load and
/// a store.
enum class tail { fetch_and_add, plain };

template <tail how = tail::fetch_and_add>
struct static_octree_of {
  octree work;
  int lists[2][octree::most_tasks]{};
  int in = 0;  // the list that is read
  int tasks = 1;
  int tail_of_out = 0;

  SIMT_FN void init() { lists[0][0] = work.all(); }

  SIMT_FN void operator()() {
    for (int i = static_cast<int>(simt::block_index()); i < tasks;
         i += static_cast<int>(simt::block_count())) {
      work.divide(lists[in][i], [&](int next) { lists[1 - in][place()] = next; });
    }
  }

  bool next_launch(std::uint32_t) {
    in = 1 - in;
    tasks = tail_of_out;
    tail_of_out = 0;
    return tasks != 0;
  }

  const char* check() const { return work.check(); }

 private:
  SIMT_FN int place() {
    if constexpr (how == tail::fetch_and_add) {
      return simt::atomicAdd(&tail_of_out, 1);
    } else {
      return tail_of_out++;
    }
  }
};
