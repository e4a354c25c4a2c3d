// There is a fence before each counting.
#pragma once

#include "counted_partials.hpp"

struct counted_partial : counted_partials<true> {};
SIMT_SUBJECT(counted_partial);
