// A fence after taking the lock and one before giving it back.
#pragma once

#include "word_locks.hpp"

struct word_lock : word_locks<device_fence, device_fence> {};
SIMT_SUBJECT(word_lock);
