// A condition variable that loses no notification.
#pragma once

#include "conditions.hpp"

struct condition_variable : handing_over<true> {};
SIMT_SUBJECT(condition_variable);
