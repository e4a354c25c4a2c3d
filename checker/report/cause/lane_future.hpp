// Says what a lane could still do: walks the automaton of continuations that the search has made.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "checker/run/session.hpp"

namespace warpcheck {

class lane_future {
 public:
  explicit lane_future(session& run)
      : run_(run), program_(run.lanes()), trials_(program_.another()) {}

  /// Returns `c`, or the next continuation that waits at a step. Indices, addresses of shared
  /// variables and branches take no step. None: device code does what it must not do.
  std::optional<simt::continuation> at_rest(std::uint32_t lane, simt::continuation c);
  /// Whether `lane` gets out of a loop if the operation at `from`, and later reads of the same
  /// location, find `value` there. Everything else is as in `state`. None: not known.
  struct loop {
    std::set<simt::continuation> inside;  // continuations of the lane between its steps
    std::set<std::uint64_t> places;       // the return addresses of its operations
    // It reads one location only; if not, it is left within one round.
    bool reads_one = false;
    friend auto operator<=>(const loop&, const loop&) = default;
  };
  std::optional<bool> gets_out(std::uint32_t lane, simt::state_view state, const loop& of,
                               simt::continuation from, std::uint64_t value);
  /// Takes in what gets_out() has found for `value`, to be used by find_write().
  void learn(std::uint32_t lane, simt::continuation from, std::uint64_t value);
  /// Whether answers of gets_out() since the last call of this function depend on the lane.
  bool has_asked_for_place() { return std::exchange(asks_for_place_, false); }
  /// Returns values that lanes have found or stored at `address`, in all of the search.
  [[nodiscard]] std::vector<std::uint64_t> values_at(std::uint64_t address) const;
  /// Returns the nearest write ahead of `lane`, in `state`, that gives the location at `address` a
  /// `wanted` value. On the path to it, the lane must not have to see such a value first. Looks at
  /// what the search has seen lanes do, and at what this lane would do alone.
  std::optional<simt::operation> find_write(std::uint32_t lane, simt::state_view state,
                                            std::uint64_t address,
                                            const std::function<bool(std::uint64_t)>& wanted);
  /// Whether there were too many questions. Then find_write() may have missed writes.
  [[nodiscard]] bool gave_up() const { return work_left_ == 0; }
  /// Whether there were too many values. Then gets_out() has no more answers.
  [[nodiscard]] bool is_out_of_tries() const { return tries_left_ == 0; }

 private:
  session& run_;
  simt::lane_program& program_;
  // Values are tried in this program, so that find_write() does not take all of them for possible.
  std::unique_ptr<simt::lane_program> trials_;
  std::map<simt::continuation, simt::continuation> on_trial_;
  // Continuations of a loop, and their copies in `trials_`.
  std::set<simt::continuation> inside_of_, inside_;
  bool asks_for_place_ = false;
  // Continuations that all questions together may still look at.
  std::size_t work_left_ = 2'000'000;
  std::size_t tries_left_ = 500'000;  // steps that all tried values may still take
  int strayed_ = 0;                   // answers that led device code astray, which takes long

  std::vector<std::uint64_t> answers(std::uint32_t lane, simt::state_view state,
                                     simt::continuation c, const simt::operation& op) const;
  [[nodiscard]] std::uint64_t memory_at(simt::state_view state, const simt::operation& op) const;
  simt::continuation on_trial(simt::continuation c);
  std::optional<simt::continuation> at_rest(simt::lane_program& program, std::uint32_t lane,
                                            simt::continuation c);
  /// Returns the answer to an operation that takes no step; none: it is a step.
  std::optional<std::uint64_t> local_answer(std::uint32_t lane, const simt::operation& op) const;
};

}  // namespace warpcheck
