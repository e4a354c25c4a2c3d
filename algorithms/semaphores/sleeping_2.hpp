// The sleeping semaphore with 2 permits.
#pragma once

#include "sleeping_semaphore.hpp"

struct sleeping_2 : sleeping_semaphore<2> {};
SIMT_SUBJECT(sleeping_2);
