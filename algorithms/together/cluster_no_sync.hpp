// Each block reads the shared memory of its neighbour in the cluster without waiting for it.
#pragma once

#include <simt/simt.hpp>

struct cluster_no_sync {
  SIMT_FN void operator()() {
    const unsigned other = (simt::cluster_block_rank() + 1) % simt::cluster_size();
    if (simt::thread_rank() % simt::block_size() == 0) simt::block_shared<unsigned>() = 1;
    const unsigned read = simt::cluster_shared<unsigned>(other);
    simt::cluster_sync();
    if (read > 1) simt::check(false, "nobody has stored that");
  }
};
SIMT_SUBJECT(cluster_no_sync);
