// There is no fence before the counting in the loop.
#pragma once

#include "counted_partials.hpp"

struct counted_partial_loop_unfenced : counted_partials<false> {};
SIMT_SUBJECT(counted_partial_loop_unfenced);
