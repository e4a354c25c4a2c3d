// The sleeping semaphore with 2 permits, a turn letting in its own ticket as the text has it:
// one too many.
#pragma once

#include "sleeping_semaphore.hpp"

struct sleeping_text_2 : sleeping_semaphore<2, turn_from_ticket> {};
SIMT_SUBJECT(sleeping_text_2);
