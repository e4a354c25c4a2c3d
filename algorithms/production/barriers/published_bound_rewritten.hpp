// The leader writes the next bound while others may read the old one.
#pragma once

#include "published_bounds.hpp"

struct published_bound_rewritten : published_bounds<false> {};
SIMT_SUBJECT(published_bound_rewritten);
