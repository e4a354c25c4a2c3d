// The test-and-test-and-set lock of ttas.hpp, on a line of its own.
#pragma once

#include "apart_locks.hpp"

struct ttas_apart : apart::ttas_lock {};
SIMT_SUBJECT(ttas_apart);
