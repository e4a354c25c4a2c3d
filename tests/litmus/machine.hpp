// Litmus tests on the machine of sim/memory, for comparison with the axioms: all interleavings,
// with everything that memory may do. States are canonical, so spin loops close; complete
// executions count. A loop that stores something new in each round has no end, and a barrier is run
// once.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "litmus/program.hpp"
#include "sim/memory/ptx_memory.hpp"

namespace naive {

struct machine_result {
  std::set<std::vector<litmus::value>> outcomes;  // of executions without a race
  bool race = false;                              // then it stops, and outcomes are missing
};

/// What is known of a program before it runs.
simt::memory_facts facts_of(const litmus::program& p);

/// `promises`: stores may be visible before the instructions in front of them are carried out.
machine_result run_on_machine(const litmus::program& p,
                              const std::vector<litmus::variable>& observed, bool promises);

}  // namespace naive
