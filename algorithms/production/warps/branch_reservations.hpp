// In a branch, one lane reserves slots for all lanes that are there. Who is there is found out by
// `Present`.
#pragma once

#include <simt/simt.hpp>

struct ballot_of_all {
  SIMT_FN static unsigned lanes() { return simt::ballot(simt::full_mask, 1); }
};
struct active_lanes {
  SIMT_FN static unsigned lanes() { return simt::activemask(); }
};

template <class Present>
struct branch_reservations {
  static constexpr unsigned room = 4;
  simt::atomic<unsigned, simt::thread_scope_device> reserved{0};
  unsigned slot_of[room]{};

  SIMT_FN void operator()() {
    const unsigned lane = simt::lane_index();
    if (lane % 2 == 1) {
      const unsigned present = Present::lanes();
      const int leader = simt::ffs(present) - 1;
      unsigned first = 0;
      if (static_cast<int>(lane) == leader) {
        first = reserved.fetch_add(static_cast<unsigned>(simt::popc(present)),
                                   simt::memory_order_relaxed);
      }
      first = simt::shfl(present, first, leader);
      const unsigned before = present & ((1U << lane) - 1);
      slot_of[lane] = first + static_cast<unsigned>(simt::popc(before));
    }
    simt::syncthreads();
  }

  const char* check() const {
    if (reserved.host_value() != 2) return "not as many slots as lanes";
    return slot_of[1] + slot_of[3] == 1 ? nullptr : "two lanes have one slot";
  }
};
