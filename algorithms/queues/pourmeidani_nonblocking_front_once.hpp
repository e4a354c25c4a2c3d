// The non-blocking queue of Pourmeidani's thesis (section 3.2), the reading in which all of
// `Dequeue` means the node that `t` was set to. What is left is what the algorithm itself does
// wrong: `Enqueue` reserves a node by moving `q`, and links it afterwards. Until then nobody comes
// to nodes that others have linked behind it, and `dequeue` says "empty" although an enqueue has
// returned.
#pragma once

#include "pourmeidani.hpp"

struct pourmeidani_nonblocking_front_once : pourmeidani::nonblocking {
  SIMT_FN simt::maybe<int> dequeue() { return dequeue_from_front(); }
};
SIMT_SUBJECT(pourmeidani_nonblocking_front_once);
