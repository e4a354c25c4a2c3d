// The broken twin of `arora_stealing` whose clients leave when all deques looked empty: a task that
// is being done may make others.
#pragma once

#include "arora_stealing_of.hpp"

struct arora_stealing_leaves : arora_stealing_of<true> {};
SIMT_SUBJECT(arora_stealing_leaves);
