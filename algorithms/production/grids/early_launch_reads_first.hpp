// The second kernel reads before it waits.
#pragma once

#include "early_launches.hpp"

struct early_launch_reads_first : early_launches<false> {};
SIMT_SUBJECT(early_launch_reads_first);
