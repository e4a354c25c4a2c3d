// No fences.
#pragma once

#include "word_locks.hpp"

struct word_lock_no_fences : word_locks<no_fence, no_fence> {};
SIMT_SUBJECT(word_lock_no_fences);
