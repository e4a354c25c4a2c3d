// Both groups have the same barrier.
#pragma once

#include "ping_pongs.hpp"

struct ping_pong_one_id_rules : ping_pong_rules {
  static constexpr bool own_barriers = false;
};

struct ping_pong_one_id : ping_pongs<ping_pong_one_id_rules> {};
SIMT_SUBJECT(ping_pong_one_id);
