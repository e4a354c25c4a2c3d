// What a search may pass, so that it is wait-free: a bound that does not depend on what others do.
#pragma once

#include <simt/simt.hpp>

/// Counts the nodes that one search passes. Links lead to greater keys, marked ones too, so on one
/// level a search passes a key once.
struct search_steps {
  int passed{0};
  int most;

  SIMT_FN explicit search_steps(int limit) : most(limit) {}
  SIMT_FN void pass() {
    simt::check(++passed <= most, "a search passes more nodes than its bound");
  }
};
