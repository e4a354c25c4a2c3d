// Indexing by plain ints, checked.
#pragma once

#include <cstddef>

#include "tests/naive/machine.hpp"

namespace naive {

template <class Container>
auto& at_index(Container& c, int i) {
  return c.at(static_cast<std::size_t>(i));
}

inline lane_state& lane_at(state& s, place p) {
  return at_index(at_index(at_index(s.blocks, p.block).lanes, p.warp), p.lane);
}
inline const lane_state& lane_at(const state& s, place p) {
  return at_index(at_index(at_index(s.blocks, p.block).lanes, p.warp), p.lane);
}
inline warp_state& warp_at(state& s, place p) {
  return at_index(at_index(s.blocks, p.block).warps, p.warp);
}
inline const warp_state& warp_at(const state& s, place p) {
  return at_index(at_index(s.blocks, p.block).warps, p.warp);
}

inline bool is_memory(operation_kind kind) { return kind <= operation_kind::add; }
inline bool is_collective(operation_kind kind) {
  return kind >= operation_kind::syncwarp && kind <= operation_kind::reduce_max;
}
inline bool is_barrier(operation_kind kind) {
  return kind >= operation_kind::syncthreads && kind <= operation_kind::barrier_arrive;
}

}  // namespace naive
