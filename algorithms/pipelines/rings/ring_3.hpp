// A ring of 3 stages.
#pragma once

#include "rings.hpp"

struct ring_3 : rings<3> {};
SIMT_SUBJECT(ring_3);
