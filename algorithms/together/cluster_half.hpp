// Work comes between arriving and waiting.
#pragma once

#include "cluster_halves.hpp"

struct cluster_half : cluster_halves<true> {};
SIMT_SUBJECT(cluster_half);
