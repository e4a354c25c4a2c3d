// The head counts its changes, and is loaded relaxed.
#pragma once

#include "free_indices.hpp"

struct free_index_relaxed : free_indices<true, simt::memory_order_relaxed> {};
SIMT_SUBJECT(free_index_relaxed);
