// The producer arrives and announces the bytes.
#pragma once

#include "announced_bytes.hpp"

struct announced_byte : announced_bytes<announces_and_arrives> {};
SIMT_SUBJECT(announced_byte);
