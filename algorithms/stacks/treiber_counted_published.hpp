// Treiber's stack with reference counts as published (Valois, PODC 1995): a node is claimed in a
// step of its own.
#pragma once

#include "counted_stacks.hpp"

struct treiber_counted_published : counted_stack<false> {};
SIMT_SUBJECT(treiber_counted_published);
