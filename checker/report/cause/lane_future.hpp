// What a lane could still do: walks the automaton of its continuations that the search has made.
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

  /// `c`, or the next continuation that waits at a step: indices, addresses of shared variables and
  /// branches take none. None: device code does what it must not.
  std::optional<simt::continuation> at_rest(std::uint32_t lane, simt::continuation c);
  /// Whether `lane` gets out of a loop if the operation at `from`, and what reads the same location
  /// behind it, finds `value` there, and everything else is as in `state`. None: not known.
  struct loop {
    std::set<simt::continuation> inside;  // where the lane stands between its steps
    std::set<std::uint64_t> places;       // the return addresses of its operations
    bool reads_one = false;               // location; or else it is left within one round
    friend auto operator<=>(const loop&, const loop&) = default;
  };
  std::optional<bool> gets_out(std::uint32_t lane, simt::state_view state, const loop& of,
                               simt::continuation from, std::uint64_t value);
  /// Takes in what gets_out() has said of `value`, for find_write().
  void learn(std::uint32_t lane, simt::continuation from, std::uint64_t value);
  /// Whether answers of gets_out() since the last call of this function depend on the lane.
  bool has_asked_for_place() { return std::exchange(asks_for_place_, false); }
  /// Values that lanes have found at `address`, or have stored there, in all of the search.
  [[nodiscard]] std::vector<std::uint64_t> values_at(std::uint64_t address) const;
  /// The nearest write ahead of `lane`, in `state`, that gives the location at `address` a value
  /// that is `wanted`, on a path on which the lane does not itself have to see one of them first.
  /// Looks at what the search has seen lanes do, and at what this one would do alone.
  std::optional<simt::operation> find_write(std::uint32_t lane, simt::state_view state,
                                            std::uint64_t address,
                                            const std::function<bool(std::uint64_t)>& wanted);
  /// Whether questions were too many: find_write may have missed writes.
  [[nodiscard]] bool gave_up() const { return work_left_ == 0; }
  /// Whether values were too many: gets_out() does not know any more.
  [[nodiscard]] bool is_out_of_tries() const { return tries_left_ == 0; }

 private:
  session& run_;
  simt::lane_program& program_;
  // Values are tried there, so that find_write() does not take all of them for possible.
  std::unique_ptr<simt::lane_program> trials_;
  std::map<simt::continuation, simt::continuation> on_trial_;
  std::set<simt::continuation> inside_of_, inside_;  // of a loop, and the same on trial
  bool asks_for_place_ = false;
  std::size_t work_left_ = 2'000'000;  // continuations that all questions together may look at
  std::size_t tries_left_ = 500'000;   // steps of all values that are tried
  int strayed_ = 0;                    // answers that led device code astray, which takes long

  std::vector<std::uint64_t> answers(std::uint32_t lane, simt::state_view state,
                                     simt::continuation c, const simt::operation& op) const;
  [[nodiscard]] std::uint64_t memory_at(simt::state_view state, const simt::operation& op) const;
  simt::continuation on_trial(simt::continuation c);
  std::optional<simt::continuation> at_rest(simt::lane_program& program, std::uint32_t lane,
                                            simt::continuation c);
  /// The answer to an operation that takes no step; none: it is a step.
  std::optional<std::uint64_t> local_answer(std::uint32_t lane, const simt::operation& op) const;
};

}  // namespace warpcheck
