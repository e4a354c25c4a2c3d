// What a lane could still do: walks the automaton of its continuations that the search has made.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "checker/explore/session.hpp"

namespace warpcheck {

class lane_future {
 public:
  explicit lane_future(session& run) : run_(run), program_(run.machine().program()) {}

  /// `c`, or the next continuation that waits at a step: indices, addresses of shared variables and
  /// branches take none. None: device code does what it must not.
  std::optional<simt::continuation> at_rest(std::uint32_t lane, simt::continuation c);
  /// Where `lane`, at `c`, comes to rest when its operation is answered so.
  std::optional<simt::continuation> after(std::uint32_t lane, simt::continuation c,
                                          std::uint64_t answer);
  /// The nearest operation ahead of `lane`, standing at `c`, for which `wanted` holds; among what
  /// the search has seen lanes do.
  std::optional<simt::operation> find(std::uint32_t lane, simt::continuation c,
                                      const std::function<bool(const simt::operation&)>& wanted);

 private:
  session& run_;
  simt::lane_program& program_;

  /// The answer to an operation that takes no step; none: it is a step.
  std::optional<std::uint64_t> local_answer(std::uint32_t lane, const simt::operation& op) const;
};

}  // namespace warpcheck
