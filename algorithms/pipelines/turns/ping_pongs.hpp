// Two groups of warps take turns (ping-pong), by two numbered barriers. A group waits at its own
// barrier, works, and arrives at that of the other group. Both groups are counted at each. At the
// start the second group arrives for the first one, as if it had just had its turn.
//
// `How` is ping_pong_rules, or changes one of them.
#pragma once

#include <simt/simt.hpp>

struct ping_pong_rules {
  static constexpr bool first_may_go = true;      ///< the second group arrives for the first one
  static constexpr bool work_first = true;        ///< a group works before it hands on the turn
  static constexpr bool own_barriers = true;      ///< each group has a barrier of its own
  static constexpr bool both_are_counted = true;  ///< the count is that of both groups
};

template <class How = ping_pong_rules>
struct ping_pongs {
  static constexpr unsigned rounds = 2;
  int turns = 0;

  SIMT_FN void work(unsigned group, unsigned warps) {
    const bool leads = simt::warp_index() == group * warps && simt::lane_index() == 0;
    if (leads) turns = turns + 1;
  }

  SIMT_FN void operator()() {
    const unsigned all = simt::warp_count();
    const unsigned warps = all / 2;
    const unsigned group = simt::warp_index() / warps;
    const unsigned count = How::both_are_counted ? all : warps;
    const unsigned own = How::own_barriers ? 1 + group : 1;
    const unsigned other = How::own_barriers ? 2 - group : 1;
    if (How::first_may_go && group == 1) simt::named_barrier_arrive(other, count);
    for (unsigned round = 0; round < rounds; ++round) {
      simt::named_barrier_sync(own, count);
      if constexpr (How::work_first) {
        work(group, warps);
        simt::syncwarp();
      }
      // The last turn of the second group is nobody's to wait for.
      const bool last = group == 1 && round + 1 == rounds;
      if (!last) simt::named_barrier_arrive(other, count);
      if constexpr (!How::work_first) work(group, warps);
    }
  }

  bool check() const { return turns == 2 * static_cast<int>(rounds); }
};
