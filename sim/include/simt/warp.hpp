// Operations that the lanes of a warp carry out together. Parameters are in CUDA's order.
//
// A mask names the lanes that take part, bit i for lane i; lanes that the warp does not have are
// ignored. Every lane of the mask that has not exited must call the same operation with the same
// mask, and be in it itself.
#pragma once

#include <simt/detail/backend.hpp>

namespace simt {

inline constexpr unsigned full_mask = 0xffffffffU;

/// Waits for the lanes of `mask`.
SIMT_FN void syncwarp(unsigned mask = full_mask) { detail::syncwarp(mask); }

/// The value of lane `source` of the caller's segment of `width` lanes (1, 2, 4, ... 32). T is
/// trivially copyable, of at most 8 bytes.
template <class T>
SIMT_FN T shfl(unsigned mask, T value, int source, int width = 32) {
  return detail::shfl<detail::shfl_mode::index>(mask, value, static_cast<unsigned>(source), width);
}

/// The value of the lane `delta` below; the caller's own where there is none in its segment.
template <class T>
SIMT_FN T shfl_up(unsigned mask, T value, unsigned delta, int width = 32) {
  return detail::shfl<detail::shfl_mode::up>(mask, value, delta, width);
}

/// The value of the lane `delta` above; the caller's own where there is none in its segment.
template <class T>
SIMT_FN T shfl_down(unsigned mask, T value, unsigned delta, int width = 32) {
  return detail::shfl<detail::shfl_mode::down>(mask, value, delta, width);
}

/// The value of the lane whose index is the caller's, exclusive-or `lane_mask`.
template <class T>
SIMT_FN T shfl_xor(unsigned mask, T value, int lane_mask, int width = 32) {
  return detail::shfl<detail::shfl_mode::exclusive_or>(mask, value,
                                                       static_cast<unsigned>(lane_mask), width);
}

/// The lanes of `mask` whose predicate holds.
SIMT_FN unsigned ballot(unsigned mask, int predicate) { return detail::ballot(mask, predicate); }

/// Whether the lane is the one that is elected of those in the mask: the lowest (PTX elect.sync).
SIMT_FN bool elect(unsigned mask = full_mask) { return detail::elect(mask); }

/// Whether the predicate of any, or of every, lane of `mask` holds.
SIMT_FN int any(unsigned mask, int predicate) { return detail::any(mask, predicate); }
SIMT_FN int all(unsigned mask, int predicate) { return detail::all(mask, predicate); }

/// The lanes of `mask` that have the caller's value (an integer of 4 or 8 bytes).
template <class T>
SIMT_FN unsigned match_any(unsigned mask, T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "match takes values of 4 or 8 bytes");
  return detail::match_any(mask, value);
}

/// `mask` if all its lanes have the same value, else 0; `*predicate` says which.
template <class T>
SIMT_FN unsigned match_all(unsigned mask, T value, int* predicate) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "match takes values of 4 or 8 bytes");
  return detail::match_all(mask, value, predicate);
}

/// The sum of the values of the lanes of `mask`, modulo 2^32; their least, and their greatest
/// value.
SIMT_FN int reduce_add(unsigned mask, int value) {
  return detail::reduce<detail::collective_kind::reduce_add>(mask, value);
}
SIMT_FN unsigned reduce_add(unsigned mask, unsigned value) {
  return detail::reduce<detail::collective_kind::reduce_add>(mask, value);
}
SIMT_FN int reduce_min(unsigned mask, int value) {
  return detail::reduce<detail::collective_kind::reduce_min_signed>(mask, value);
}
SIMT_FN unsigned reduce_min(unsigned mask, unsigned value) {
  return detail::reduce<detail::collective_kind::reduce_min_unsigned>(mask, value);
}
SIMT_FN int reduce_max(unsigned mask, int value) {
  return detail::reduce<detail::collective_kind::reduce_max_signed>(mask, value);
}
SIMT_FN unsigned reduce_max(unsigned mask, unsigned value) {
  return detail::reduce<detail::collective_kind::reduce_max_unsigned>(mask, value);
}

/// The bits that all lanes of `mask` have set, those that any has, those that an odd number has.
SIMT_FN unsigned reduce_and(unsigned mask, unsigned value) {
  return detail::reduce<detail::collective_kind::reduce_and>(mask, value);
}
SIMT_FN unsigned reduce_or(unsigned mask, unsigned value) {
  return detail::reduce<detail::collective_kind::reduce_or>(mask, value);
}
SIMT_FN unsigned reduce_xor(unsigned mask, unsigned value) {
  return detail::reduce<detail::collective_kind::reduce_xor>(mask, value);
}

/// Some set of lanes that are here now, the caller among them. Promises nothing about the others.
SIMT_FN unsigned activemask() { return detail::activemask(); }

}  // namespace simt
