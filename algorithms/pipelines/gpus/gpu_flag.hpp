// Flags of system scope, release and acquire.
#pragma once

#include "gpu_flags.hpp"

struct gpu_flag : gpu_flags<> {};
SIMT_SUBJECT(gpu_flag);
