// The blocking STM of Cederman's thesis (2011), section 5.5: a lock for each object, which is its
// version, odd while it is taken. A transaction reads versions and values, and takes the locks of
// what it has changed when it commits.
//
// The text leaves open what is validated (section 5.5.4): first it names the objects "read or
// written to", then those "that are to be updated". `blocking_choices` has the readings. It does
// not say what becomes of locks when a transaction aborts: here they get back their old version. It
// names no order of locks, and needs none: who finds one taken aborts. It names no fence, and needs
// one: of two transactions that take a lock and look at the other's, one has to see the other.
#pragma once

#include "words.hpp"

namespace stm {

enum class validated {
  nothing,         // not even what is written: a twin
  written,         // the second sentence, to the letter
  read_too_early,  // what was read, before the locks are taken
  read             // what was read, behind the taking of locks
};

struct blocking_choices {
  validated at_commit = validated::read;
  bool at_reads = false;  // each read looks at all earlier ones again (section 5.4.4, "possible")
  bool one_lock = false;  // objects share a lock (section 5.4.2)
  bool fence = true;      // between the taking of locks and the validation of what was read
};

template <int objects, blocking_choices choices = blocking_choices{}>
struct blocking_memory {
  static constexpr int locks = choices.one_lock ? 1 : objects;

  /// The items of figure 5.2: which are there, and which of them are changed, as bits.
  struct transaction {
    unsigned known, changed;
    int versions[objects];
    int values[objects];
  };

  shared_word value[objects]{};
  shared_word lock[locks]{};

  SIMT_FN void begin(transaction& t) {
    t.known = 0;
    t.changed = 0;
  }

  SIMT_FN bool read(transaction& t, int object, int& into) {
    if ((t.known & bit(object)) == 0 && !copy(t, object)) return false;
    into = t.values[object];
    return true;
  }

  SIMT_FN bool write(transaction& t, int object, int to) {
    if ((t.known & bit(object)) == 0 && !copy(t, object)) return false;
    t.changed |= bit(object);
    t.values[object] = to;
    return true;
  }

  SIMT_FN bool commit(transaction& t) {
    if (choices.at_commit == validated::read_too_early && !is_valid(t, t.known)) return false;
    unsigned taken = 0;
    for (int object = 0; object < objects; ++object) {
      if ((t.changed & bit(object)) == 0) continue;
      int seen = t.versions[object];
      if (choices.at_commit == validated::nothing) {
        seen = lock_of(object).load(simt::memory_order_relaxed) & ~1;
        t.versions[object] = seen;
      }
      if (!lock_of(object).compare_exchange_strong(seen, seen + 1, simt::memory_order_acq_rel)) {
        return give_up(t, taken);
      }
      taken |= bit(object);
    }
    if (choices.at_commit == validated::read) {
      if (choices.fence) {
        simt::atomic_thread_fence(simt::memory_order_seq_cst, simt::thread_scope_device);
      }
      if (!is_valid(t, t.known & ~t.changed)) return give_up(t, taken);
    }
    for (int object = 0; object < objects; ++object) {
      if ((t.changed & bit(object)) != 0) {
        value[object].store(t.values[object], simt::memory_order_release);
      }
    }
    for (int object = 0; object < objects; ++object) {
      if ((t.changed & bit(object)) != 0) {
        lock_of(object).store(t.versions[object] + 2, simt::memory_order_release);
      }
    }
    return true;
  }

 private:
  SIMT_FN static unsigned bit(int object) { return 1U << object; }
  SIMT_FN shared_word& lock_of(int object) { return lock[choices.one_lock ? 0 : object]; }

  /// Section 5.5.2: the value, between two equal versions at which nobody has the lock.
  SIMT_FN bool copy(transaction& t, int object) {
    int before = lock_of(object).load(simt::memory_order_acquire);
    while (true) {
      const int seen = value[object].load(simt::memory_order_acquire);
      const int behind = lock_of(object).load(simt::memory_order_acquire);
      if (before == behind && (before & 1) == 0) {
        t.values[object] = seen;
        break;
      }
      before = behind;
    }
    t.versions[object] = before;
    t.known |= bit(object);
    return !choices.at_reads || is_valid(t, t.known);
  }

  /// Nobody has changed these objects since the transaction has read them, or is about to.
  SIMT_FN bool is_valid(const transaction& t, unsigned which) {
    for (int object = 0; object < objects; ++object) {
      if ((which & bit(object)) == 0) continue;
      const int seen = lock_of(object).load(simt::memory_order_acquire);
      if (seen != t.versions[object]) return false;
    }
    return true;
  }
  SIMT_FN bool give_up(const transaction& t, unsigned taken) {
    for (int object = 0; object < objects; ++object) {
      if ((taken & bit(object)) != 0) {
        lock_of(object).store(t.versions[object], simt::memory_order_release);
      }
    }
    return false;
  }
};

}  // namespace stm
