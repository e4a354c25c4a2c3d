// The blocks meet before they leave.
#pragma once

#include "peer_reads.hpp"

struct peer_read : peer_reads<true> {};
SIMT_SUBJECT(peer_read);
