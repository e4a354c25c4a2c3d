// Each block reads the shared memory of its neighbour in the cluster, and ends at once: the memory
// of a block that has ended is gone.
#pragma once

#include <simt/simt.hpp>

struct cluster_leaves_early {
  SIMT_FN void operator()() {
    const unsigned other = (simt::cluster_block_rank() + 1) % simt::cluster_size();
    if (simt::thread_rank() % simt::block_size() == 0) simt::block_shared<unsigned>() = 1;
    simt::cluster_sync();
    simt::check(simt::cluster_shared<unsigned>(other) == 1, "the neighbour has stored its value");
  }
};
SIMT_SUBJECT(cluster_leaves_early);
