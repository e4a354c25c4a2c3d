// Lists of what a lane has under way. Places without an entry are zeros, so that equal lanes look
// equal.
#pragma once

#include <simt/ptx/access.hpp>

namespace simt::ptx {

/// Keeps or drops an entry, while a list is gone through. `left` entries have stayed so far.
/// Returns how many have stayed behind this one.
template <class T>
SIMT_FN u32 keep_entry(T* list, const T& entry, bool stays, u32 left) {
  if (!stays) return left;
  list[left] = entry;
  return left + 1;
}

/// Clears the places behind the first `left` of `count` entries, when the list has been gone
/// through. Returns `left`.
template <class T>
SIMT_FN u32 forget_entries(T* list, u32 left, u32 count) {
  for (u32 k = left; k < count; ++k) list[k] = {};
  return left;
}

}  // namespace simt::ptx
