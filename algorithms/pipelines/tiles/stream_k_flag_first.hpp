// A block raises its flag before it leaves its part.
#pragma once

#include "stream_ks.hpp"

struct stream_k_flag_first_rules : fix_up_rules {
  static constexpr bool part_first = false;
};

struct stream_k_flag_first : stream_ks<stream_k_flag_first_rules> {};
SIMT_SUBJECT(stream_k_flag_first);
