// Reductions over the lanes of a warp, with full and partial masks, and with lanes that have
// exited. Runs in the simulator and on a GPU.
#pragma once

#include <simt/simt.hpp>

struct reductions {
  SIMT_FN void operator()() {
    const unsigned lane = simt::lane_index();
    const unsigned last = simt::warp_size() - 1;
    const unsigned all = ~0U >> (31 - last);
    const int value = static_cast<int>(lane) * 5 - 1;  // -1, 4, 9, ...
    const int greatest = static_cast<int>(last) * 5 - 1;
    const int sum = (greatest - 1) * static_cast<int>(last + 1) / 2;
    simt::check(simt::reduce_add(all, value) == sum, "sum");
    simt::check(simt::reduce_min(all, value) == -1, "least");
    simt::check(simt::reduce_max(all, value) == greatest, "greatest");
    const auto bits = static_cast<unsigned>(value);
    simt::check(simt::reduce_add(all, bits) == static_cast<unsigned>(sum), "unsigned sum");
    simt::check(simt::reduce_min(all, bits) == 4, "least of unsigned");
    simt::check(simt::reduce_max(all, bits) == ~0U, "greatest of unsigned");
    simt::check(simt::reduce_or(all, 1U << lane) == all, "or");
    simt::check(simt::reduce_and(all, ~(1U << lane)) == ~all, "and");
    simt::check(simt::reduce_xor(all, (1U << lane) ^ 1U) ==
                    (all ^ static_cast<unsigned>(simt::popc(all) & 1)),
                "xor");
    // The even lanes alone, then without the one that has exited.
    const unsigned even = all & 0x55555555U;
    if ((lane & 1) != 0) return;
    simt::check(simt::reduce_add(even, 1) == simt::popc(even), "even lanes");
    if (lane == 0) return;
    simt::check(simt::reduce_max(even & ~1U, lane) == 31U - static_cast<unsigned>(simt::clz(even)),
                "without lane 0");
    simt::printf("lane %u is through\n", lane);
  }
};
SIMT_SUBJECT(reductions);
