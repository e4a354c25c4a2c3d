// A second arrival comes before the wait.
#pragma once

#include "cluster_halves.hpp"

struct cluster_half_twice : cluster_halves<true, 2> {};
SIMT_SUBJECT(cluster_half_twice);
