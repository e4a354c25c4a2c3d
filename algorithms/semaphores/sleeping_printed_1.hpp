// The sleeping semaphore with 1 permit as printed: nothing orders what is done inside.
#pragma once

#include "sleeping_semaphore.hpp"

struct sleeping_printed_1 : sleeping_semaphore<1, turn_after_ticket, false> {};
SIMT_SUBJECT(sleeping_printed_1);
