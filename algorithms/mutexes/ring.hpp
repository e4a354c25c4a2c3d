// The ring-buffer mutex to the letter, for two threads: the item of an earlier round lets its
// thread in out of turn.
#pragma once

#include "ring_of.hpp"

struct ring : ring_of<2> {};
SIMT_SUBJECT(ring);
