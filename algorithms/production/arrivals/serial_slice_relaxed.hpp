// The block meets, and thread 0 hands on the turn by a relaxed store.
#pragma once

#include "serial_slices.hpp"

struct serial_slice_relaxed : serial_slices<relaxed_handover> {};
SIMT_SUBJECT(serial_slice_relaxed);
