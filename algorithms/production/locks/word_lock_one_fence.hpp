// A fence after taking the lock, and none before giving it back.
#pragma once

#include "word_locks.hpp"

struct word_lock_one_fence : word_locks<device_fence, no_fence> {};
SIMT_SUBJECT(word_lock_one_fence);
