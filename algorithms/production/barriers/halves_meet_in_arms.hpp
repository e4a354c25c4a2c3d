// Each arm of the branch has a copy of the barrier.
#pragma once

#include "halves_meet.hpp"

struct halves_meet_in_arms : halves_meet<true> {};
SIMT_SUBJECT(halves_meet_in_arms);
