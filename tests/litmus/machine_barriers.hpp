// Barriers of the litmus machine: who meets with whom, who lets whom go. A barrier is run once, as
// in litmus/barriers.hpp.
#pragma once

#include <functional>

#include "tests/litmus/machine_state.hpp"

namespace naive {

/// The first thread of the CTA, or of the cluster.
std::uint32_t first_beside(const litmus::program& p, std::uint32_t thread, bool of_cluster);

/// Whether the barrier is one at which its thread arrives. A wait of a cluster's barrier is none.
bool is_arrival(const litmus::instruction& i);

/// `thread` arrives at the barrier that it is at. Throws if it was there before.
void arrive(const litmus::program& p, const simt::ptx_memory& memory, machine_state& s,
            std::uint32_t thread, const std::optional<litmus::value>& resource);

/// `thread` goes on behind these arrivals.
void go_on_behind(const litmus::program& p, machine_state& s, std::uint32_t thread,
                  const std::vector<arrival>& sources);

/// Calls `use` with each way in which a barrier of `group` may let go now: with the state, and the
/// arrivals that it is behind then. All of the group are behind the same ones.
void for_each_release(const litmus::program& p, const machine_state& s, const barrier_group& group,
                      const std::function<void(machine_state, const std::vector<arrival>&)>& use);

}  // namespace naive
