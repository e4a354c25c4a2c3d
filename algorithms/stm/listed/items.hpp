// The items of a transaction as a list, as in figure 5.2 of Cederman's thesis (2011): what a
// transaction has read or written, in that order. So there may be many objects.
#pragma once

#include "../words.hpp"

namespace stm {

/// Of one transaction.
template <int objects>
inline constexpr int most_items = simt::sized(objects, 256);

/// An `Item` has `object`.
template <class Item, int most>
struct item_list {
  int count;
  Item all[most];

  /// The item of that object; -1: there is none.
  SIMT_FN int find(int object) const {
    for (int i = 0; i < count; ++i) {
      if (all[i].object == object) return i;
    }
    return -1;
  }
  /// The caller sets what else the item has.
  SIMT_FN Item& add(int object) {
    simt::check(count < most, "a transaction has too many items");
    all[count].object = object;
    return all[count++];
  }
};

}  // namespace stm
