// The broken twin of `treiber_epochs` that uses nodes again one epoch after their removal.
#pragma once

#include "epoch_stacks.hpp"

struct treiber_epochs_early : epoch_stack<1> {};
SIMT_SUBJECT(treiber_epochs_early);
