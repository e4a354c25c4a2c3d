// Each block stores into its shared memory, and reads that of its neighbour in the cluster. It
// stays until all have read.
#pragma once

#include <simt/simt.hpp>

struct cluster_neighbour {
  SIMT_FN void operator()() {
    const unsigned rank = simt::cluster_block_rank();
    const unsigned other = (rank + 1) % simt::cluster_size();
    const unsigned first = simt::block_index() - rank;  // block of the cluster
    if (simt::thread_rank() % simt::block_size() == 0) {
      simt::block_shared<unsigned>() = simt::block_index() + 1;
    }
    simt::cluster_sync();
    simt::check(simt::cluster_shared<unsigned>(other) == first + other + 1,
                "the neighbour has stored its value");
    simt::cluster_sync();
  }
};
SIMT_SUBJECT(cluster_neighbour);
