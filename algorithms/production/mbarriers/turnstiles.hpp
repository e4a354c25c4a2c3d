// Two parties (warps here) meet again and again. Each has an mbarrier, at which the other one
// arrives, and waits for its own. `slots`: the meetings take turns with so many mbarriers.
#pragma once

#include "waiting.hpp"

template <unsigned slots>
struct turnstiles {
  static constexpr unsigned meetings = 3, parties = 2;
  struct barriers {
    simt::mbarrier of[parties][slots];
  };

  SIMT_FN void operator()() {
    barriers& shared = simt::block_shared<barriers>();
    const unsigned own = simt::warp_index();
    const bool first_lane = simt::lane_index() == 0;
    if (first_lane) {
      for (unsigned slot = 0; slot < slots; ++slot) simt::mbarrier_init(shared.of[own][slot], 1);
    }
    simt::syncthreads();
    if (!first_lane) return;
    for (unsigned meeting = 0; meeting < meetings; ++meeting) {
      const unsigned slot = meeting % slots;
      simt::mbarrier_arrive(shared.of[parties - 1 - own][slot]);
      wait_for_phase(shared.of[own][slot], meeting / slots % 2);
    }
  }
};
