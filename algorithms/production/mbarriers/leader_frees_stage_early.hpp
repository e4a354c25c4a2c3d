// The first reader frees the stage while others may still wait for it.
#pragma once

#include "leader_frees_stages.hpp"

struct leader_frees_stage_early : leader_frees_stages<false> {};
SIMT_SUBJECT(leader_frees_stage_early);
