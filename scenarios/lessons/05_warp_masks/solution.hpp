// All lanes vote first, so that each knows who takes part.
#pragma once

#include <simt/simt.hpp>

SIMT_FN inline int sum_of_those(bool has_value, int value) {
  const unsigned mask = simt::ballot(simt::full_mask, has_value);
  int sum = 0;
  if (has_value) sum = simt::reduce_add(mask, value);
  return sum;
}
