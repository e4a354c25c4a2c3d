// Lanes of a cluster count in the shared memory of its first block.
#pragma once

#include <simt/simt.hpp>

namespace together {

template <simt::thread_scope scope>
struct cluster_count {
  SIMT_FN void operator()() {
    const unsigned threads = simt::cluster_size() * simt::block_size();
    unsigned& count = simt::cluster_shared<unsigned>(0);
    if (simt::thread_rank() % threads == 0) count = 0;
    simt::cluster_sync();
    simt::atomic_ref<unsigned, scope>(count).fetch_add(1, simt::memory_order_relaxed);
    simt::cluster_sync();
    simt::check(count == threads, "all lanes of the cluster are counted");
    simt::cluster_sync();
  }
};

}  // namespace together
