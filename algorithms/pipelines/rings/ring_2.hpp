// A ring of 2 stages.
#pragma once

#include "rings.hpp"

struct ring_2 : rings<2> {};
SIMT_SUBJECT(ring_2);
