// Consensus by loads and stores alone, which cannot be: here a thread decides on its own proposal
// if it sees no other, and on the smaller one else.
#pragma once

#include "consensus.hpp"

struct consensus_registers : proposals {
  SIMT_FN int propose(int value) {
    announce(value);
    const int theirs = other();
    return theirs == 0 || value < theirs ? value : theirs;
  }
};
SIMT_SUBJECT(consensus_registers);
