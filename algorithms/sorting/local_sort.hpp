// Phase two of GPU-Quicksort on all keys, by one block.
#pragma once

#include "local_quicksort_of.hpp"

template <local_fault fault = local_fault::none, int min_size = 2>
struct local_sort {
  using sorter = local_sorter<fault, min_size>;

  drawn_keys keys;

  SIMT_FN void operator()(std::uint32_t launch) {
    if (launch == 0) return keys.draw();
    auto& block = simt::block_shared<typename sorter::block_memory>();
    sorter(keys, block).sort({0, keys.size(), false});
  }

  bool next_launch(std::uint32_t launch) { return launch == 1; }

  const char* check() const { return keys.check(); }
};
