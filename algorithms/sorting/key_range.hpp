// Parts of keys that are sorted, and their pivots.
#pragma once

#include <simt/simt.hpp>

/// A part of one of the buffers: `in_hat`, the auxiliary one.
struct key_range {
  int begin, end;
  bool in_hat;

  SIMT_HOST_FN constexpr int size() const { return end - begin; }
};

/// Keys in two buffers, `d` and `hat`.
template <class Keys>
SIMT_FN int& key_at(Keys& keys, bool in_hat, int i) {
  return in_hat ? keys.hat[i] : keys.d[i];
}

SIMT_HOST_FN constexpr int median(int a, int b, int c) {
  return simt::max(simt::min(a, b), simt::min(simt::max(a, b), c));
}

/// Of the first, the middle and the last key of a part that has one.
template <class Keys>
SIMT_FN int median_of(Keys& keys, key_range s) {
  return median(key_at(keys, s.in_hat, s.begin), key_at(keys, s.in_hat, (s.begin + s.end) / 2),
                key_at(keys, s.in_hat, s.end - 1));
}
