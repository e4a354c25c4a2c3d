// Installs the handlers of SIGINT and SIGTERM.
#include "checker/console/interrupt.hpp"

#include <csignal>

namespace warpcheck {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void handle_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_requested.store(true, std::memory_order_relaxed); };
  sigemptyset(&action.sa_mask);
  // The first signal removes the handler, so the second one has its usual effect.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void let_interrupts_end() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace warpcheck
