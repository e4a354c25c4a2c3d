// GPU-Quicksort (Cederman and Tsigas, ESA 2008; Cederman's thesis, chapter 2): blocks divide a
// sequence together (phase one, algorithm 2), and then sort its two parts, each alone (phase two,
// algorithm 3). The host launches both (algorithm 1); launch 0 draws the keys.
//
// Does not model: more than one round of phase one. (hardware/sorting.cu has the whole of algorithm
// 1 over the same two phases, and measures it.)
#pragma once

#include "global_divider.hpp"
#include "local_quicksort_of.hpp"

template <sums how = sums::by_one_thread, global_fault fault = global_fault::none,
          pivots chosen = pivots::medians, fills filled = fills::by_one_thread>
struct gpu_quicksort_of {
  static constexpr int blocks = 2;  // that divide, and that sort a part each

  using divider = global_divider<drawn_keys, how, fault, chosen, filled>;
  using sorter = local_sorter<>;

  drawn_keys keys;
  typename divider::sequence sequence{};

  SIMT_FN void operator()(std::uint32_t launch) {
    switch (launch) {
      case 0: return keys.draw();
      case 1: return divide();
      default: return sort();
    }
  }

  bool next_launch(std::uint32_t launch) {
    const int size = static_cast<int>(keys.d.size());
    if (launch == 1) {
      sequence.begin({0, size, false}, median(keys.d[0], keys.d[size / 2], keys.d[size - 1]),
                     blocks);
      return true;
    }
    return launch == 2 && sequence.has_parts;
  }

  const char* check() const { return keys.check(); }

 private:
  SIMT_FN void divide() {
    const int size = keys.size(), block_size = (size + blocks - 1) / blocks;
    const int begin = static_cast<int>(simt::block_index()) * block_size;
    divider(keys, sequence, simt::block_shared<typename divider::block_memory>())
        .divide(begin, simt::min(begin + block_size, size));
  }
  SIMT_FN void sort() {
    const bool is_low_part = simt::block_index() == 0;
    sorter(keys, simt::block_shared<typename sorter::block_memory>())
        .sort(is_low_part ? sequence.lows() : sequence.highs());
  }
};
