// Atomic additions with the scope of a block, which does not include the other one.
#pragma once

#include "cluster_counts.hpp"

struct cluster_count_block : together::cluster_count<simt::thread_scope_block> {};
SIMT_SUBJECT(cluster_count_block);
