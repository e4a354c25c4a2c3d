// Lists of what a lane has under way. Places without an entry are zeros, so that equal lanes look
// equal.
#pragma once

#include <simt/ptx/access.hpp>

namespace simt::ptx {

/// While a list is gone through: the entry becomes number `left` of those that stay, if it does.
/// Returns how many have stayed.
template <class T>
SIMT_FN u32 keep_entry(T* list, const T& entry, bool stays, u32 left) {
  if (!stays) return left;
  list[left] = entry;
  return left + 1;
}

/// Behind that: the first `left` of `count` entries have stayed. Returns their number.
template <class T>
SIMT_FN u32 forget_entries(T* list, u32 left, u32 count) {
  for (u32 k = left; k < count; ++k) list[k] = {};
  return left;
}

}  // namespace simt::ptx
