// As neighbour, without a barrier that it needs.
#pragma once

#include "neighbours.hpp"

struct neighbour_no_barrier : neighbours<nothing> {};
SIMT_SUBJECT(neighbour_no_barrier);
