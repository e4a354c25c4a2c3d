// The memory events of an execution of the machine, in the words of the axioms (litmus/), and
// whether the axioms of the PTX memory model allow them: a check of the engine's memory by
// something that shares no code with it. docs/memory-model.md, "Counterexamples are judged".
//
// Models: loads, stores, read-modify-writes, fences, barriers of a whole block, syncwarp.
// Does not model: named barriers, and what clients of an object know of each other. Without their
// causality more is allowed, never less.
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
  std::unique_ptr<litmus::program> threads;  // their places; no instructions
  litmus::execution events;
  litmus::completion completion;
  // False: the execution is longer than what is recorded. The axioms look at 64 events, and a
  // beginning of an allowed execution is allowed.
  bool whole = true;
};

/// Of the messages of one phase of an mbarrier, which the machine joins (docs/reductions.md,
/// "Phases of mbarriers"), which one a test is taken to have read: the oldest that it may, as far
/// as the lane's own arrivals say, so that it acquires the least; or the newest, which it always
/// may.
enum class tests_read : std::uint8_t { oldest, newest };

/// Follows `how` on a machine whose memory is weak, one round of its cycle included. Of a program
/// of several launches it has the events of the last one. Loads that
/// repeat one of the same lane, with nothing but loads between, are left out. Nothing: it cannot be
/// followed (as where the machine has news), or not told which message a load has read.
std::optional<recorded_events> record_events(simt::machine& machine, const execution& how,
                                             tests_read tests = tests_read::oldest);

/// The axiom that forbids it, if any.
std::optional<litmus::axiom> forbidden_by(const recorded_events& recorded);

/// Whether memory is weak and the axioms forbid an execution, as far as they can be asked. Void
/// where the machine has news.
bool is_forbidden(simt::machine& machine, const execution& how);

}  // namespace warpcheck
