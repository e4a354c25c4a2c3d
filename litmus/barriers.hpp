// Barriers of CTAs and clusters: who waits for whom, and who synchronizes with whom.
//
// Models: instances, resources, quorums, arrivals that do not wait; barriers of clusters. Each
// barrier is run once. Does not model: reuse of an instance by the same thread.
#pragma once

#include <functional>
#include <optional>

#include "litmus/clauses.hpp"
#include "litmus/execution.hpp"

namespace litmus {

/// Whether all arrivals that a waiting barrier needs have happened.
bool is_released(const execution& x, event_id barrier, const clauses& rules);

/// For a barrier without a quorum: all events that it waits for; nothing if some are missing.
std::optional<event_set> participants(const execution& x, event_id barrier, const clauses& rules);

/// Checks that all passed barriers can have been passed: each is released, and none waits for an
/// arrival behind itself. `blocked` are the barriers where a thread waits for ever. Calls `use`
/// with each choice of who synchronizes with whom, and of what then comes behind which arrivals
/// (completion::waits), until `use` returns false.
void for_each_synchronization(
    const execution& x, event_set blocked, const clauses& rules,
    const std::function<bool(const relation& sync, const relation& waits)>& use);

}  // namespace litmus
