// Each thread of a block writes its own cell of shared memory, and reads its neighbour's.
#pragma once

#include "../between.hpp"

template <class Between>
struct neighbours {
  struct cells {
    int at[1024];
  };
  simt::device_array<int> out{"out"};

  SIMT_FN void operator()() {
    cells& shared = simt::block_shared<cells>();
    const unsigned t = simt::thread_rank();
    shared.at[t] = static_cast<int>(t);
    Between::pass();
    out[t] = shared.at[(t + 1) % simt::block_size()];
  }

  bool check(const simt::launch_shape& shape) const {
    for (unsigned t = 0; t < shape.threads; ++t) {
      if (out[t] != static_cast<int>((t + 1) % shape.threads)) return false;
    }
    return true;
  }
};
