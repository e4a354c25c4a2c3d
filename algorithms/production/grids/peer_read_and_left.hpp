// A block leaves while its peer may still read its memory.
#pragma once

#include "peer_reads.hpp"

struct peer_read_and_left : peer_reads<false> {};
SIMT_SUBJECT(peer_read_and_left);
