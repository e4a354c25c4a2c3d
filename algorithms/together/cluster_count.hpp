// Atomic additions with the scope of the cluster.
#pragma once

#include "cluster_counts.hpp"

struct cluster_count : together::cluster_count<simt::thread_scope_cluster> {};
SIMT_SUBJECT(cluster_count);
