// Each meeting has the same mbarriers.
#pragma once

#include "turnstiles.hpp"

struct turnstile_one_slot : turnstiles<1> {};
SIMT_SUBJECT(turnstile_one_slot);
