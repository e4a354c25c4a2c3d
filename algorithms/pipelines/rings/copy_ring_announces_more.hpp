// The producer announces more bytes than are copied.
#pragma once

#include "copy_rings.hpp"

struct copy_ring_announces_more : copy_rings<8> {};
SIMT_SUBJECT(copy_ring_announces_more);
