// The barrier of Xiao and Feng (2010) as published: the master thread of a block arrives for all of
// its threads, without having waited for them. With one thread a block, or one warp in lockstep,
// that makes no difference.
#pragma once

#include "xf_flags.hpp"

struct xf_barrier : xf_flags<> {};
SIMT_SUBJECT(xf_barrier);
