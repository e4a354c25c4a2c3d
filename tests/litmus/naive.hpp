// The PTX memory model a second time, for tests: from the definitions in the ISA, with nothing
// shared with litmus/ but the program. Guesses every value, every source, every coherence order.
// With proxies, and barriers of clusters; for programs without loops, types and barriers with a
// result, with one barrier instance at most and small values.
#pragma once

#include <set>
#include <vector>

#include "litmus/program.hpp"

namespace naive {

struct result {
  std::set<std::vector<litmus::value>> outcomes;  // values of the variables asked for
  bool race = false;
};

result run(const litmus::program& p, const std::vector<litmus::variable>& observed);

}  // namespace naive
