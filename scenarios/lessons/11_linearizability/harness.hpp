// One thread enqueues; the other one enqueues and dequeues.
#pragma once

#include <simt/simt.hpp>

#include "kernel.hpp"

struct lesson : cell_queue {
  static constexpr const char* spec = "queue";
};
SIMT_SUBJECT(lesson);
