// The barriers count the warps of one group.
#pragma once

#include "ping_pongs.hpp"

struct ping_pong_own_count_rules : ping_pong_rules {
  static constexpr bool both_are_counted = false;
};

struct ping_pong_own_count : ping_pongs<ping_pong_own_count_rules> {};
SIMT_SUBJECT(ping_pong_own_count);
