// Generates all clients of an object up to a size, which `generate` in a scenario stands for.
#pragma once

#include <vector>

#include "checker/scenario/scenario.hpp"
#include "sim/worker/host_worker.hpp"

namespace warpcheck {

/// What each client does.
using client_lists = std::vector<std::vector<written_operation>>;

/// Returns every combination of one to `threads` clients that do one to `operations` operations
/// each, the smallest first. Combinations that differ only in the order of the clients occur once.
/// The operations are those that the subject has and its specification knows. Arguments that the
/// specification calculates or compares with take each of its examples. Other values are told apart
/// by being new: 1, 2, 3 and so on. Throws usage_error if the subject has no operations, or there
/// are too many combinations.
std::vector<client_lists> generate_clients(const scenario& what,
                                           const simt::patience& waiting = {});

}  // namespace warpcheck
