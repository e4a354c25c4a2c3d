// The neighbour is read before the wait.
#pragma once

#include "cluster_halves.hpp"

struct cluster_half_early : cluster_halves<false> {};
SIMT_SUBJECT(cluster_half_early);
