// Each lane adds one to a counter, under the lock.
#pragma once

#include <simt/simt.hpp>

#include "kernel.hpp"

struct lesson : spin_lock {};
SIMT_SUBJECT(lesson);
