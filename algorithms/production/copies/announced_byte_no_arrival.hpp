// The producer announces the bytes and does not arrive.
#pragma once

#include "announced_bytes.hpp"

struct announced_byte_no_arrival : announced_bytes<announces_only> {};
SIMT_SUBJECT(announced_byte_no_arrival);
