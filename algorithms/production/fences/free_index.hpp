// The head counts its changes, and its loads acquire.
#pragma once

#include "free_indices.hpp"

struct free_index : free_indices<true, simt::memory_order_acquire> {};
SIMT_SUBJECT(free_index);
