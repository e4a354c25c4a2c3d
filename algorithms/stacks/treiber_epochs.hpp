// Treiber's stack with nodes that are used again two epochs after their removal.
#pragma once

#include "epoch_stacks.hpp"

struct treiber_epochs : epoch_stack<2> {};
SIMT_SUBJECT(treiber_epochs);
