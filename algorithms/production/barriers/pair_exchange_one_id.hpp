// Both pairs use the same numbered barrier.
#pragma once

#include "pair_exchanges.hpp"

struct pair_exchange_one_id : pair_exchanges<false> {};
SIMT_SUBJECT(pair_exchange_one_id);
