// A prefix sum of a grid in one pass, with look-back.
#pragma once

#include "look_backs.hpp"

struct look_back_scan : look_backs<fence> {};
SIMT_SUBJECT(look_back_scan);
