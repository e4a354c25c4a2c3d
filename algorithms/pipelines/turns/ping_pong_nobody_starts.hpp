// Nobody arrives for the first turn.
#pragma once

#include "ping_pongs.hpp"

struct ping_pong_nobody_starts_rules : ping_pong_rules {
  static constexpr bool first_may_go = false;
};

struct ping_pong_nobody_starts : ping_pongs<ping_pong_nobody_starts_rules> {};
SIMT_SUBJECT(ping_pong_nobody_starts);
