// How many threads an exploration may use, when it must stop, and whom it tells how far it is.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "checker/run/stop_cause.hpp"
#include "checker/run/turn.hpp"
#include "checker/states/growing_memory.hpp"

namespace warpcheck {

struct exploration_progress {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;  // of the longest path so far, in steps
  std::uint64_t bytes = 0;
};

/// Where a search that was stopped is kept (saved_search.hpp).
struct search_files {
  std::optional<std::filesystem::path> save;    // written when the search is stopped
  std::optional<std::filesystem::path> resume;  // read, where it is there
};

struct limits {
  [[nodiscard]] double seconds() const {  // since `start`
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  // Seconds that this process may compute, from its processor time `computed` on. Unlike `time`, it
  // does not depend on what else the machine does.
  std::optional<double> processor_time;
  double computed = 0;
  std::uint32_t threads = 1;
  std::uint64_t share_after = 32'768;  // states of one thread, before others join
  std::optional<std::uint64_t> max_states;
  std::optional<std::uint64_t> max_memory;  // bytes
  std::optional<double> time;               // seconds, from `start` on
  double spent = 0;                         // seconds of `time` that are over at `start`
  double behind = 20;                       // seconds, at least, that follow a violation
  double grace = 2;                         // more, for what makes a result of what was found
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  // What merging may cost in the first turn (turn.hpp), and the share that this exploration has.
  std::uint64_t first_turn = 4'000'000;
  turn* share = nullptr;
  // Under `ptx`, where a state costs as much as the square of the number of lanes: so much of that
  // is explored before weaker fences are tried.
  std::uint64_t before_weaker_fences = 262'144;
  bool first = false;                       // stop at the first violation
  const std::atomic<bool>* stop = nullptr;  // set by Ctrl-C
  storage_options storage;                  // of the states
  search_files files;
  std::function<void(const exploration_progress&)> progress;  // called now and then; may be empty

  /// The processor time of this process so far, of all its threads, in seconds.
  static double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
  [[nodiscard]] bool is_out_of_time() const {
    return (time && spent + seconds() > *time) ||
           (processor_time && processor_seconds() - computed > *processor_time);
  }
  /// Whether to stop for Ctrl-C, time, or because others have their turn.
  [[nodiscard]] bool is_over() const {
    return (stop != nullptr && stop->load()) || is_out_of_time() ||
           (share != nullptr && share->is_over());
  }
  /// Why to stop, with so many bytes in use: Ctrl-C, memory, time or a turn; empty: go on.
  [[nodiscard]] stop_cause reached(std::uint64_t bytes) const;
  /// Why to stop at `most` states, or after so many seconds.
  static stop_cause reached_states(std::uint64_t most);
  static stop_cause reached_time(double most);
  /// Why to stop where the process gets no more memory.
  static stop_cause no_more_memory();
  /// Why to stop where host code was stopped, which says `words`: Ctrl-C or time.
  [[nodiscard]] stop_cause host_code_was_stopped(std::string words) const;
};

/// Some more time once time is over, or since Ctrl-C: for what makes a result of what was found.
/// For one thread.
class overtime {
 public:
  explicit overtime(const limits& bounds) : bounds_(bounds) {}
  [[nodiscard]] const limits& bounds() const { return bounds_; }
  [[nodiscard]] bool is_over();

 private:
  const limits& bounds_;
  std::optional<std::chrono::steady_clock::time_point> stopped_;  // that was seen
};

}  // namespace warpcheck
