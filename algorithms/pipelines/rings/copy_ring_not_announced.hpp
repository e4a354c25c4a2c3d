// The producer arrives and announces nothing.
#pragma once

#include "copy_rings.hpp"

struct copy_ring_not_announced : copy_rings<0> {};
SIMT_SUBJECT(copy_ring_not_announced);
