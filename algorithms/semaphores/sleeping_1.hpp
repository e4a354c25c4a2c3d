// The sleeping semaphore with 1 permit.
#pragma once

#include "sleeping_semaphore.hpp"

struct sleeping_1 : sleeping_semaphore<1> {};
SIMT_SUBJECT(sleeping_1);
