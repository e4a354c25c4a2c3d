// The barrier of the block stands in a part that the workers do not run.
#pragma once

#include "late_workers.hpp"

struct late_worker_barrier_in_setup : late_workers<false> {};
SIMT_SUBJECT(late_worker_barrier_in_setup);
