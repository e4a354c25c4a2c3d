// The broken twin of `consensus_move`: a load of the source and then a store to the target.
#pragma once

#include "consensus_moves.hpp"

struct consensus_move_two_steps : consensus_by_moves<false> {};
SIMT_SUBJECT(consensus_move_two_steps);
