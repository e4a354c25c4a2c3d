// There is no barrier before the tile is read.
#pragma once

#include "tile_schedulers.hpp"

struct tile_scheduler_untold_rules : tile_rules {
  static constexpr bool is_told = false;
};

struct tile_scheduler_untold : tile_schedulers<tile_scheduler_untold_rules> {};
SIMT_SUBJECT(tile_scheduler_untold);
