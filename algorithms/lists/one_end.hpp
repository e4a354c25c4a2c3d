// The twin of `both_ends`: all threads traverse the list from its front.
#pragma once

#include "traversal.hpp"

struct one_end : traversal {
  SIMT_FN void operator()() { forwards(); }
};
SIMT_SUBJECT(one_end);
