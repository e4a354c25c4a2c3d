// Records the memory events of an execution of the machine in the terms of the axioms (litmus/),
// and asks whether the axioms of the PTX memory model allow them. So code that shares nothing with
// the engine's memory checks it. See docs/memory-model.md, "Counterexamples are judged".
//
// Models: loads, stores, read-modify-writes, fences, barriers of a whole block, syncwarp.
// Does not model: named barriers, and what clients of an object know of each other. Without that
// causality more executions are allowed, never fewer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "checker/run/result.hpp"
#include "litmus/axioms.hpp"
#include "litmus/execution.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

/// Events, reads-from, coherence, barriers and the order of fence.sc: an execution, completed.
struct recorded_events {
  std::unique_ptr<litmus::program> threads;  // places of the events; no instructions
  litmus::execution events;
  litmus::completion completion;
  // False: the execution is longer than what is recorded. The axioms look at 64 events. A beginning
  // of an allowed execution is allowed.
  bool whole = true;
};

/// Which message a test of an mbarrier is taken to have read. The machine joins the messages of one
/// phase (docs/reductions.md, "Phases of mbarriers"). `oldest` is the oldest message that the
/// lane's own arrivals allow, so the test acquires the least. `newest` is always allowed.
enum class tests_read : std::uint8_t { oldest, newest };

/// Follows `how` on a machine with weak memory, including one round of its cycle. If the program
/// has several launches, records the events of the last one. Leaves out loads that repeat a load of
/// the same lane, with only loads between. Nothing: the execution cannot be followed (for example,
/// the machine has news), or it is not clear which message a load has read.
std::optional<recorded_events> record_events(simt::machine& machine, const execution& how,
                                             tests_read tests = tests_read::oldest);

/// Returns the axiom that forbids the execution, if any.
std::optional<litmus::axiom> forbidden_by(const recorded_events& recorded);

/// Whether memory is weak and the axioms forbid an execution, as far as they can be asked. Void if
/// the machine has news.
bool is_forbidden(simt::machine& machine, const execution& how);

}  // namespace warpcheck
