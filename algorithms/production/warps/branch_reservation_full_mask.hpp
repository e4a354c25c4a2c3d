// The lanes of a branch are counted by a ballot that names all lanes of the warp.
#pragma once

#include "branch_reservations.hpp"

struct branch_reservation_full_mask : branch_reservations<ballot_of_all> {};
SIMT_SUBJECT(branch_reservation_full_mask);
