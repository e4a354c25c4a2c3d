// The broken twin of `condition_variable`: it looks at the number only behind the release of the
// lock, so a notification between the two is lost.
#pragma once

#include "conditions.hpp"

struct condition_variable_late : handing_over<false> {};
SIMT_SUBJECT(condition_variable_late);
