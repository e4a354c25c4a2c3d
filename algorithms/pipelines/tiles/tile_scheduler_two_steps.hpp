// The counter is read and written in two steps.
#pragma once

#include "tile_schedulers.hpp"

struct tile_scheduler_two_steps_rules : tile_rules {
  static constexpr bool is_atomic = false;
};

struct tile_scheduler_two_steps : tile_schedulers<tile_scheduler_two_steps_rules> {};
SIMT_SUBJECT(tile_scheduler_two_steps);
