// Thread 0 raises the flag without waiting for its block.
#pragma once

#include "stream_ks.hpp"

struct stream_k_not_gathered_rules : fix_up_rules {
  static constexpr bool gathers = false;
};

struct stream_k_not_gathered : stream_ks<stream_k_not_gathered_rules> {};
SIMT_SUBJECT(stream_k_not_gathered);
