// The scheduler writes the next tile while readers may still copy this one.
#pragma once

#include "tile_mailboxes.hpp"

struct tile_mailbox_unacknowledged : tile_mailboxes<false> {};
SIMT_SUBJECT(tile_mailbox_unacknowledged);
