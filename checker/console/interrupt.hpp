// Ctrl-C ends a run cleanly, with what was covered; a second one ends the process.
#pragma once

#include <atomic>

namespace warpcheck {

/// Set by SIGINT and SIGTERM once handle_interrupts has been called. Explorations poll it.
extern std::atomic<bool> stop_requested;

void handle_interrupts();

/// From now on the first signal ends the process: for whoever waits for its user.
void let_interrupts_end();

}  // namespace warpcheck
