// Barriers of CTAs and clusters: who waits for whom, and who synchronizes with whom.
//
// Models: instances, resources, quorums, arrivals that do not wait; barriers of clusters; a barrier
// that is run once.
// Does not model: reuse of an instance by the same thread.
#pragma once

#include <functional>
#include <optional>

#include "litmus/clauses.hpp"
#include "litmus/execution.hpp"

namespace litmus {

/// Whether what a waiting barrier waits for has arrived.
bool is_released(const execution& x, event_id barrier, const clauses& rules);

/// Without a quorum: all whom the barrier waits for; nothing where some have not come.
std::optional<event_set> participants(const execution& x, event_id barrier, const clauses& rules);

/// Whether the barriers that were passed can all have been: each is released, and none waits for
/// an arrival behind itself. `blocked` are those where a thread waits for ever.
/// Calls `use` with each way to choose who synchronizes with whom, and with who then comes behind
/// which arrivals (completion::waits); ends early where it returns false.
void for_each_synchronization(
    const execution& x, event_set blocked, const clauses& rules,
    const std::function<bool(const relation& sync, const relation& waits)>& use);

}  // namespace litmus
