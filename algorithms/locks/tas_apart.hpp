// The test-and-set lock of tas.hpp, on a line of its own.
#pragma once

#include "apart_locks.hpp"

struct tas_apart : apart::tas_lock {};
SIMT_SUBJECT(tas_apart);
