// Each thread passes a fence, the block meets, and thread 0 hands on the turn by a relaxed store.
#pragma once

#include "serial_slices.hpp"

struct serial_slice_early_fences : serial_slices<early_fences> {};
SIMT_SUBJECT(serial_slice_early_fences);
