// What a lane could still do: walks the automaton of its continuations that the search has made.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "checker/run/session.hpp"

namespace warpcheck {

class lane_future {
 public:
  explicit lane_future(session& run) : run_(run), program_(run.lanes()) {}

  /// `c`, or the next continuation that waits at a step: indices, addresses of shared variables and
  /// branches take none. None: device code does what it must not.
  std::optional<simt::continuation> at_rest(std::uint32_t lane, simt::continuation c);
  /// Where `lane`, at `c`, comes to rest when its operation is answered so.
  std::optional<simt::continuation> after(std::uint32_t lane, simt::continuation c,
                                          std::uint64_t answer);
  /// Whether `lane` gets out of a loop if the operation at `from`, and what reads the same location
  /// behind it, finds `value` there, and everything else is as in `state`. None: not known.
  struct loop {
    std::set<simt::continuation> inside;  // where the lane stands between its steps
    std::set<std::uint64_t> places;       // the return addresses of its operations
  };
  std::optional<bool> gets_out(std::uint32_t lane, simt::state_view state, const loop& of,
                               simt::continuation from, std::uint64_t value);
  /// The nearest write ahead of `lane`, in `state`, that gives the location at `address` a value
  /// that is `wanted`, on a path on which the lane does not itself have to see one of them first.
  /// Looks at what the search has seen lanes do, and at what this one would do alone.
  std::optional<simt::operation> find_write(std::uint32_t lane, simt::state_view state,
                                            std::uint64_t address,
                                            const std::function<bool(std::uint64_t)>& wanted);
  /// Whether questions were too many: find_write may have missed writes.
  [[nodiscard]] bool gave_up() const { return work_left_ == 0; }

 private:
  session& run_;
  simt::lane_program& program_;
  std::size_t work_left_ = 2'000'000;  // continuations that all questions together may look at
  std::size_t tries_left_ = 500'000;   // steps of all values that are tried
  int strayed_ = 0;                    // answers that led device code astray, which takes long

  std::vector<std::uint64_t> answers(std::uint32_t lane, simt::state_view state,
                                     simt::continuation c, const simt::operation& op) const;
  [[nodiscard]] std::uint64_t memory_at(simt::state_view state, simt::continuation c) const;
  /// The answer to an operation that takes no step; none: it is a step.
  std::optional<std::uint64_t> local_answer(std::uint32_t lane, const simt::operation& op) const;
};

}  // namespace warpcheck
