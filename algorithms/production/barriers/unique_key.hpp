// Two barriers in each round.
#pragma once

#include "unique_keys.hpp"

struct unique_key : unique_keys<true> {};
SIMT_SUBJECT(unique_key);
