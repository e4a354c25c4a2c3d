// Consensus by a move from memory to memory.
#pragma once

#include "consensus_moves.hpp"

struct consensus_move : consensus_by_moves<true> {};
SIMT_SUBJECT(consensus_move);
