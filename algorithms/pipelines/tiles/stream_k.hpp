// The first block adds up what others leave.
#pragma once

#include "stream_ks.hpp"

struct stream_k : stream_ks<> {};
SIMT_SUBJECT(stream_k);
