// Blocks add to a tile in order.
#pragma once

#include "split_ks.hpp"

struct split_k : split_ks<> {};
SIMT_SUBJECT(split_k);
