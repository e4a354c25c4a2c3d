// The elected lane loads while other lanes may still wait.
#pragma once

#include "elected_loads.hpp"

struct elected_load_unmet : elected_loads<false> {};
SIMT_SUBJECT(elected_load_unmet);
