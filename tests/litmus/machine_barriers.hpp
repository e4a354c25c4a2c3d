// Barriers of the litmus machine: who meets with whom, who lets whom go. A barrier is run once, as
// in litmus/barriers.hpp.
#pragma once

#include <functional>

#include "tests/litmus/machine_state.hpp"

namespace naive {

/// The first thread of the CTA.
std::uint32_t first_of_cta(const litmus::program& p, std::uint32_t thread);

/// What memory knows the arrival by.
std::uint32_t number_of(const arrival& a);

/// `thread` arrives at the barrier that it is at. Throws if it was there before.
void arrive(machine_state& s, std::uint32_t thread, const std::optional<litmus::value>& resource);

/// Calls `use` with each way in which a barrier of `group` may let go now: with the state, and the
/// arrivals that it is behind then. All of the group are behind the same ones.
void for_each_release(const litmus::program& p, const machine_state& s, const barrier_group& group,
                      const std::function<void(machine_state, const std::vector<arrival>&)>& use);

}  // namespace naive
