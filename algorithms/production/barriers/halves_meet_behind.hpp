// The barrier stands behind the branch.
#pragma once

#include "halves_meet.hpp"

struct halves_meet_behind : halves_meet<false> {};
SIMT_SUBJECT(halves_meet_behind);
