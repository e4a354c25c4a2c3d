// There is no barrier behind the reading of the tile.
#pragma once

#include "tile_schedulers.hpp"

struct tile_scheduler_unheard_rules : tile_rules {
  static constexpr bool is_heard = false;
};

struct tile_scheduler_unheard : tile_schedulers<tile_scheduler_unheard_rules> {};
SIMT_SUBJECT(tile_scheduler_unheard);
