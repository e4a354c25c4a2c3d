// Makes Ctrl-C end a run cleanly, with what was covered; a second one ends the process.
#pragma once

#include <atomic>

namespace warpcheck {

/// SIGINT and SIGTERM set this after handle_interrupts() has been called. Explorations poll it.
extern std::atomic<bool> stop_requested;

void handle_interrupts();

/// From now on, the first signal ends the process. Commands that wait for their user call it.
void let_interrupts_end();

}  // namespace warpcheck
