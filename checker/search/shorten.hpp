// Makes the run that a search has found shorter: choices that the violation does not need are left
// out (delta debugging; Zeller and Hildebrandt, 2002).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "checker/run/session.hpp"
#include "checker/search/engines.hpp"
#include "checker/verdicts/verdict.hpp"

namespace warpcheck {

/// `Engine`: ordered_engine or weak_engine.
template <class Engine>
class shortener {
 public:
  /// `bounds`: once these are reached, a run is short enough as it is; and after so much work, in
  /// steps. (Counted, not timed: the same seed gives the same counterexample.)
  shortener(session& run, Engine& engine, const limits& bounds, std::uint64_t most_work)
      : run_(run),
        bounds_(bounds),
        most_work_(most_work),
        machine_(engine.machine()),
        walk_(engine.walk()),
        dead_(engine.dead()),
        work_of_step_(engine.work_of_step()) {}

  /// What is left of `choices`, which show a violation of this kind, when what is not needed has
  /// been left out. Every one of them can be made, and they show the violation. None: `choices` do
  /// not show it. (No choices: a deadlock from the start.)
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
  std::uint64_t dead_before_ = 0;  // what dead_ had done before
  std::uint64_t work_ = 0;         // steps, and what counts as much
  bool by_search_ = true;  // a deadlock: without a look at all that can be reached it is not seen

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
