// The producer announces as many bytes as are copied.
#pragma once

#include "copy_rings.hpp"

struct copy_ring : copy_rings<4> {};
SIMT_SUBJECT(copy_ring);
