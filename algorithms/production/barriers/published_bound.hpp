// A barrier ends the reading before the leader writes again.
#pragma once

#include "published_bounds.hpp"

struct published_bound : published_bounds<true> {};
SIMT_SUBJECT(published_bound);
