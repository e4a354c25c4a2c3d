// The block meets, and thread 0 hands on the turn by a release.
#pragma once

#include "serial_slices.hpp"

struct serial_slice : serial_slices<released_handover> {};
SIMT_SUBJECT(serial_slice);
