// The head of the list is a bare index.
#pragma once

#include "free_indices.hpp"

struct free_index_untagged : free_indices<false, simt::memory_order_acquire> {};
SIMT_SUBJECT(free_index_untagged);
