// Each thread takes a tile.
#pragma once

#include "tile_schedulers.hpp"

struct tile_scheduler_each_takes_rules : tile_rules {
  static constexpr bool one_takes = false;
};

struct tile_scheduler_each_takes : tile_schedulers<tile_scheduler_each_takes_rules> {};
SIMT_SUBJECT(tile_scheduler_each_takes);
