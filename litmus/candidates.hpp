// Enumerates the executions of a program: which store each load reads, and which barriers are
// passed. Executions that an axiom already forbids are abandoned.
#pragma once

#include <cstdint>
#include <functional>

#include "litmus/axioms.hpp"
#include "litmus/unfolding.hpp"

namespace litmus {

struct candidate_options {
  memory_model model = memory_model::ptx;
  clauses rules = {};
  std::uint32_t rounds = 4;               // of a loop that changes something in each
  std::uint64_t most_steps = 20'000'000;  // choices
  bool spare_round = false;  // of each thread: a round of a spin loop that changes nothing
  stop_request stop = {};    // once it is true, it stays so
};

struct coverage {
  std::uint64_t steps = 0;
  bool all = true;               // false: a bound was hit
  bool loops_cut = false;        // that of rounds, or of events
  bool spinning_missed = false;  // an infinite run may be missing, no complete one
  bool stopped = false;          // `use` returned false, or it was to stop
  bool out_of_time = false;      // it was to stop: executions and completions may be missing
};

/// Calls `use` with each finished execution. These are the complete ones and, as long as
/// `with_stuck` is true, those where threads are blocked or spin for ever. Each is made once, and
/// it may turn out that no completion of it is allowed. Ends where `use` returns false.
coverage for_each_candidate(const program& p, const analysis& known,
                            const candidate_options& options, const bool& with_stuck,
                            const std::function<bool(const unfolding&)>& use);

}  // namespace litmus
