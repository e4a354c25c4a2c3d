// The lanes of a branch are counted by activemask.
#pragma once

#include "branch_reservations.hpp"

struct branch_reservation : branch_reservations<active_lanes> {};
SIMT_SUBJECT(branch_reservation);
