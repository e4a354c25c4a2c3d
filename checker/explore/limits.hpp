// How many threads an exploration may use, when it must stop, and whom it tells how far it is.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

namespace warpcheck {

struct exploration_progress {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;  // of the longest path so far, in steps
  std::uint64_t bytes = 0;
};

struct limits {
  std::uint32_t threads = 1;
  std::uint64_t share_after = 32'768;  // states of one thread, before others join
  std::optional<std::uint64_t> max_states;
  std::optional<std::uint64_t> max_memory;                    // bytes
  std::optional<double> time;                                 // seconds
  bool first = false;                                         // stop at the first violation
  const std::atomic<bool>* stop = nullptr;                    // set by Ctrl-C
  std::function<void(const exploration_progress&)> progress;  // called now and then; may be empty
};

}  // namespace warpcheck
