// The sleeping semaphore with 1 permit, a turn letting in its own ticket as the text has it:
// one too many.
#pragma once

#include "sleeping_semaphore.hpp"

struct sleeping_text_1 : sleeping_semaphore<1, turn_from_ticket> {};
SIMT_SUBJECT(sleeping_text_1);
