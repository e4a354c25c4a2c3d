// Each thread calls this once.
#pragma once

#include <simt/simt.hpp>

SIMT_FN inline void vote(int& votes) { votes = votes + 1; }
