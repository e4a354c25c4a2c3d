// A ring of 4 stages.
#pragma once

#include "rings.hpp"

struct ring_4 : rings<4> {};
SIMT_SUBJECT(ring_4);
