// The last block adds up what others leave.
#pragma once

#include "stream_ks.hpp"

struct stream_k_last_adds_rules : fix_up_rules {
  static constexpr bool last_adds = true;
};

struct stream_k_last_adds : stream_ks<stream_k_last_adds_rules> {};
SIMT_SUBJECT(stream_k_last_adds);
