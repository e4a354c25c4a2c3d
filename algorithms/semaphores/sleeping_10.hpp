// The sleeping semaphore with 10 permits.
#pragma once

#include "sleeping_semaphore.hpp"

struct sleeping_10 : sleeping_semaphore<10> {};
SIMT_SUBJECT(sleeping_10);
