// Two groups of warps take turns.
#pragma once

#include "ping_pongs.hpp"

struct ping_pong : ping_pongs<> {};
SIMT_SUBJECT(ping_pong);
