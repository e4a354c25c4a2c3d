// Each block of a cluster stores into its shared memory and arrives at the cluster's barrier. Then
// it does work of its own, waits, and reads its neighbour's memory. `waits`: it does wait.
// `arrivals`: how often it arrives before it waits.
#pragma once

#include <simt/simt.hpp>

template <bool waits, unsigned arrivals = 1>
struct cluster_halves {
  simt::device_array<unsigned> own{"own"};

  SIMT_FN void operator()() {
    const unsigned rank = simt::cluster_block_rank();
    const unsigned other = (rank + 1) % simt::cluster_size();
    const unsigned first = simt::block_index() - rank;  // block of the cluster
    if (simt::lane_index() == 0) simt::block_shared<unsigned>() = simt::block_index() + 1;
    for (unsigned i = 0; i < arrivals; ++i) simt::cluster_arrive();
    own[simt::thread_rank()] = 1;
    if constexpr (waits) simt::cluster_wait();
    simt::check(simt::cluster_shared<unsigned>(other) == first + other + 1,
                "the neighbour has stored its value");
    if constexpr (!waits) simt::cluster_wait();
    simt::cluster_arrive();  // nobody leaves before all have read
    simt::cluster_wait();
  }
};
