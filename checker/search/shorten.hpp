// Shortens the run that a search has found: leaves out choices that the violation does not need
// (delta debugging; Zeller and Hildebrandt, 2002).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "checker/run/session.hpp"
#include "checker/search/engines.hpp"
#include "checker/verdicts/verdict.hpp"

namespace warpcheck {

/// `Engine` is ordered_engine or weak_engine.
template <class Engine>
class shortener {
 public:
  /// When `bounds` are reached, a run stays as it is. The same holds after `most_work`, in steps.
  /// Work is counted, not timed, so the same seed gives the same counterexample.
  shortener(session& run, Engine& engine, const limits& bounds, std::uint64_t most_work)
      : run_(run),
        bounds_(bounds),
        most_work_(most_work),
        machine_(engine.machine()),
        walk_(engine.walk()),
        dead_(engine.dead()),
        work_of_step_(engine.work_of_step()) {}

  /// Returns what is left of `choices`, which show a violation of this kind, without what it does
  /// not need. All of the result can be made, and it shows the violation. No choices: a deadlock
  /// from the start. None: `choices` do not show the violation.
  std::optional<std::vector<simt::choice>> shorten(const std::vector<simt::choice>& choices,
                                                   verdict kind);

 private:
  using choices = std::vector<simt::choice>;

  session& run_;
  const limits& bounds_;
  std::uint64_t most_work_;
  simt::machine& machine_;
  typename Engine::walker& walk_;
  typename Engine::dead_states& dead_;
  std::uint64_t work_of_step_;
  std::uint64_t dead_before_ = 0;  // work of dead_ before this run
  std::uint64_t work_ = 0;         // steps, and other work in units of steps
  bool by_search_ = true;          // a deadlock is only seen by a look at all that can be reached

  [[nodiscard]] bool tired() const;
  std::optional<choices> replay(std::span<const simt::choice> wanted, verdict kind);
  bool append_race(choices& made);
  bool shows(verdict kind);
  void erase_loops(choices& best, verdict kind);
  void cut(choices& best, verdict kind);
  void drop_units(choices& best, verdict kind);
  void drop_pieces(choices& best, verdict kind);
  void read_newest(choices& best, verdict kind);
};

}  // namespace warpcheck
