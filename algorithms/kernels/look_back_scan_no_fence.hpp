// As look_back_scan, without the fence in front of what it publishes.
#pragma once

#include "look_backs.hpp"

struct look_back_scan_no_fence : look_backs<nothing> {};
SIMT_SUBJECT(look_back_scan_no_fence);
