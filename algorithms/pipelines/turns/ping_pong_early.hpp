// A group hands on the turn before it works.
#pragma once

#include "ping_pongs.hpp"

struct ping_pong_early_rules : ping_pong_rules {
  static constexpr bool work_first = false;
};

struct ping_pong_early : ping_pongs<ping_pong_early_rules> {};
SIMT_SUBJECT(ping_pong_early);
