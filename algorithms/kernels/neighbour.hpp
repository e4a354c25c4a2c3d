// Each thread of a block writes its own cell of shared memory and, behind a barrier, reads its
// neighbour's.
#pragma once

#include "neighbours.hpp"

struct neighbour : neighbours<barrier> {};
SIMT_SUBJECT(neighbour);
