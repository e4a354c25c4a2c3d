// The blocking STM of Cederman's thesis (2011), section 5.5, as in blocking_memory.hpp, with a list
// of items for each transaction.
#pragma once

#include "../blocking_memory.hpp"
#include "items.hpp"

namespace stm {

template <int objects, validated at_commit = validated::read>
struct listed_blocking_memory {
  struct item {
    int object, version, value;
    int is_changed;  // a flag
  };
  struct transaction {
    item_list<item, most_items<objects>> items;
  };

  shared_word value[objects]{};
  shared_word lock[objects]{};  // the version; odd while it is taken

  SIMT_FN void begin(transaction& t) { t.items.count = 0; }

  SIMT_FN bool read(transaction& t, int object, int& into) {
    into = known(t, object).value;
    return true;
  }

  SIMT_FN bool write(transaction& t, int object, int to) {
    item& one = known(t, object);
    one.is_changed = 1;
    one.value = to;
    return true;
  }

  SIMT_FN bool commit(transaction& t) {
    const int count = t.items.count;
    for (int i = 0; i < count; ++i) {
      const item& one = t.items.all[i];
      int seen = one.version;
      if (one.is_changed != 0 &&
          !lock[one.object].compare_exchange_strong(seen, seen + 1, simt::memory_order_acq_rel)) {
        return give_up(t, i);
      }
    }
    if (at_commit == validated::read) {
      simt::atomic_thread_fence(simt::memory_order_seq_cst, simt::thread_scope_device);
      if (!reads_are_valid(t)) return give_up(t, count);
    }
    for (int i = 0; i < count; ++i) {
      const item& one = t.items.all[i];
      if (one.is_changed != 0) value[one.object].store(one.value, simt::memory_order_release);
    }
    give_back(t, count, 2);
    return true;
  }

 private:
  SIMT_FN item& known(transaction& t, int object) {
    const int at = t.items.find(object);
    if (at >= 0) return t.items.all[at];
    item& one = t.items.add(object);
    copy(one);
    return one;
  }

  /// Section 5.5.2: the value, between two equal versions at which nobody has the lock.
  SIMT_FN void copy(item& one) {
    int before = lock[one.object].load(simt::memory_order_acquire);
    while (true) {
      const int seen = value[one.object].load(simt::memory_order_acquire);
      const int behind = lock[one.object].load(simt::memory_order_acquire);
      if (before == behind && (before & 1) == 0) {
        one.value = seen;
        break;
      }
      before = behind;
    }
    one.version = before;
    one.is_changed = 0;
  }

  /// Nobody has changed what was read and is not written, or is about to.
  SIMT_FN bool reads_are_valid(const transaction& t) {
    for (int i = 0; i < t.items.count; ++i) {
      const item& one = t.items.all[i];
      if (one.is_changed != 0) continue;
      const int seen = lock[one.object].load(simt::memory_order_acquire);
      if (seen != one.version) return false;
    }
    return true;
  }

  /// The locks of the first so many items, which were taken, get their version and `more`.
  SIMT_FN void give_back(const transaction& t, int count, int more) {
    for (int i = 0; i < count; ++i) {
      const item& one = t.items.all[i];
      if (one.is_changed != 0)
        lock[one.object].store(one.version + more, simt::memory_order_release);
    }
  }
  SIMT_FN bool give_up(const transaction& t, int count) {
    give_back(t, count, 0);
    return false;
  }
};

}  // namespace stm
