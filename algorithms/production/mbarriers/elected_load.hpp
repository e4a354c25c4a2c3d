// The lanes meet before the elected one loads.
#pragma once

#include "elected_loads.hpp"

struct elected_load : elected_loads<true> {};
SIMT_SUBJECT(elected_load);
