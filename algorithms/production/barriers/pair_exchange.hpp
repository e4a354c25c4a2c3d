// Each pair has a numbered barrier of its own.
#pragma once

#include "pair_exchanges.hpp"

struct pair_exchange : pair_exchanges<true> {};
SIMT_SUBJECT(pair_exchange);
