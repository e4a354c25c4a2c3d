// The scheduler waits until all readers have copied the tile.
#pragma once

#include "tile_mailboxes.hpp"

struct tile_mailbox : tile_mailboxes<true> {};
SIMT_SUBJECT(tile_mailbox);
