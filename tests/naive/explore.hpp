// The naive explorer: builds the whole graph of states, then finds the violations by the
// definitions of docs/model.md. Slow on purpose: it is there to be compared with.
#pragma once

#include <cstddef>

#include "checker/verdicts/verdict.hpp"
#include "tests/naive/program.hpp"

namespace naive {

struct outcome {
  bool too_large = false;  // more states than asked for: nothing else is meant
  warpcheck::verdict_set violations = 0;
  std::size_t states = 0;
  std::size_t transitions = 0;
  /// Lanes touch one cell in consecutive steps, one of them writing: the program is not trivial.
  bool contended = false;
};

outcome explore(const program& p, const configuration& c, std::size_t max_states);

}  // namespace naive
