// The state of an mbarrier as one integer: its phase, its arrivals, and how many bytes of
// asynchronous copies are still expected. Bytes below 0 were copied before they were expected.
#pragma once

#include <optional>

#include "litmus/condition.hpp"

namespace litmus {

struct mbarrier_state {
  value phase = 0, arrived = 0, bytes = 0;
};

inline constexpr value mbarrier_limit = value{1} << 20;  // PTX ISA: of arrivals and of bytes

constexpr value packed(const mbarrier_state& s) {
  return (s.phase * mbarrier_limit + s.arrived) * mbarrier_limit + s.bytes;
}

constexpr mbarrier_state unpacked(value v) {
  constexpr value half = mbarrier_limit / 2;
  const value rest = (v + half) / mbarrier_limit;
  return {rest / mbarrier_limit, rest % mbarrier_limit, v - rest * mbarrier_limit};
}

/// The state after `change`, which holds arrivals and bytes. Empty: PTX ISA leaves it undefined.
constexpr std::optional<value> changed(value state, value change, value expected) {
  mbarrier_state s = unpacked(state);
  const mbarrier_state more = unpacked(change);
  s.arrived += more.arrived;
  s.bytes += more.bytes;
  if (more.phase != 0 || change < -mbarrier_limit || s.arrived > expected) return std::nullopt;
  if (s.bytes >= mbarrier_limit / 2 || s.bytes <= -mbarrier_limit / 2) return std::nullopt;
  if (s.arrived == expected && s.bytes == 0) s = {s.phase + 1, 0, 0};
  return packed(s);
}

}  // namespace litmus
