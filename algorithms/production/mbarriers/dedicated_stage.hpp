// There are as many stages as loads of a round.
#pragma once

#include "dedicated_stages.hpp"

struct dedicated_stage : dedicated_stages<2> {};
SIMT_SUBJECT(dedicated_stage);
