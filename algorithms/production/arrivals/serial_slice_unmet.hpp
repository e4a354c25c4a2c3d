// Thread 0 hands on the turn by a release without waiting for its block.
#pragma once

#include "serial_slices.hpp"

struct serial_slice_unmet : serial_slices<unmet_handover> {};
SIMT_SUBJECT(serial_slice_unmet);
