// There are fewer stages than loads of a round.
#pragma once

#include "dedicated_stages.hpp"

struct dedicated_stage_too_few : dedicated_stages<1> {};
SIMT_SUBJECT(dedicated_stage_too_few);
