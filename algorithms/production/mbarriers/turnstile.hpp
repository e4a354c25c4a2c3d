// The meetings take turns with two mbarriers of each party.
#pragma once

#include "turnstiles.hpp"

struct turnstile : turnstiles<2> {};
SIMT_SUBJECT(turnstile);
