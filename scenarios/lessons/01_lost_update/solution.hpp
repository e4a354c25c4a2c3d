// One atomic operation reads and writes, so no other vote can come between.
#pragma once

#include <simt/simt.hpp>

SIMT_FN inline void vote(int& votes) { simt::atomicAdd(&votes, 1); }
