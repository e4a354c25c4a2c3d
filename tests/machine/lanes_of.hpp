// A kernel given as source text, and its lanes, for tests that ask them one by one.
#pragma once

#include <string>
#include <vector>

#include "checker/run/session.hpp"
#include "sim/automaton/lane_automaton.hpp"
#include "tests/checker/run_source.hpp"

namespace test {

class lanes_of {
 public:
  lanes_of(const std::string& members, const std::string& body, grid shape = {},
           simt::reconvergence reconvergence = simt::reconvergence::its)
      : source(kernel(members, "using namespace simt;\n" + body), std::move(shape), reconvergence),
        run(source.what, source.how) {}

  source_run source;
  warpcheck::session run;

  /// What some lane does: asks each continuation each of the answers, until nothing is new.
  static void explore(simt::lane_automaton& lanes, const std::vector<std::uint64_t>& answers) {
    std::vector<simt::continuation> open{lanes.start()};
    std::vector<char> met;
    while (!open.empty()) {
      const simt::continuation c = open.back();
      open.pop_back();
      if (c == simt::exited) continue;
      if (c >= met.size()) met.resize(c + 1);
      if (met[c] != 0) continue;
      met[c] = 1;
      for (const std::uint64_t answer : answers) open.push_back(lanes.next(c, answer));
    }
  }
};

}  // namespace test
