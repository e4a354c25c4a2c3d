// Task stealing as in Cederman's thesis (3.4.4 and 3.5), with an end by a counter of tasks.
#pragma once

#include "arora_stealing_of.hpp"

struct arora_stealing : arora_stealing_of<false> {};
SIMT_SUBJECT(arora_stealing);
