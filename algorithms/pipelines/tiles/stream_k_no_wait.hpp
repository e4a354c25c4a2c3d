// The first block does not wait for the flags.
#pragma once

#include "stream_ks.hpp"

struct stream_k_no_wait_rules : fix_up_rules {
  static constexpr bool waits = false;
};

struct stream_k_no_wait : stream_ks<stream_k_no_wait_rules> {};
SIMT_SUBJECT(stream_k_no_wait);
