// The producer arrives and does not announce the bytes.
#pragma once

#include "announced_bytes.hpp"

struct announced_byte_not_announced : announced_bytes<arrives_only> {};
SIMT_SUBJECT(announced_byte_not_announced);
