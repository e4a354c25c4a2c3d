// The second kernel waits before it reads.
#pragma once

#include "early_launches.hpp"

struct early_launch : early_launches<true> {};
SIMT_SUBJECT(early_launch);
