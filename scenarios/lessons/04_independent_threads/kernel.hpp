// Returns the value of the other lane. The lanes run in lockstep, so both have stored before one
// loads. Or do they?
#pragma once

#include <simt/simt.hpp>

struct values {
  int of[2];
};

SIMT_FN inline int exchange(values& shared, unsigned me, int mine) {
  shared.of[me] = mine;
  return shared.of[1 - me];
}
