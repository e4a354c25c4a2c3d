// The readers meet before the first one frees the stage.
#pragma once

#include "leader_frees_stages.hpp"

struct leader_frees_stage : leader_frees_stages<true> {};
SIMT_SUBJECT(leader_frees_stage);
