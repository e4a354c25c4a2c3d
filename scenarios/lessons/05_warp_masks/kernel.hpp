// The sum of the values of all lanes with `has_value`; 0 for the others.
#pragma once

#include <simt/simt.hpp>

SIMT_FN inline int sum_of_those(bool has_value, int value) {
  int sum = 0;
  if (has_value) sum = simt::reduce_add(simt::full_mask, value);
  return sum;
}
