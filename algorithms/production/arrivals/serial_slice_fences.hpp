// Each thread passes a fence, the block meets, and thread 0 hands on the turn by a release.
#pragma once

#include "serial_slices.hpp"

struct serial_slice_fences : serial_slices<fenced_handover> {};
SIMT_SUBJECT(serial_slice_fences);
