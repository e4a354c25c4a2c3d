// The obstruction-free STM of Cederman's thesis (2011), section 5.4.1, after Harris and Fraser
// (Language support for lightweight transactions, OOPSLA 2003): a lock is a version or the
// descriptor of a transaction, and nobody waits for it. Who finds the descriptor of an active
// transaction aborts that; who finds one that is decided steals the lock, and takes over the value
// that the object has by the descriptor.
//
// A committed transaction that has been robbed may be about to store its value. So a lock counts
// the transactions that may still store, and only the last of them gives it back: until then the
// value is that of the owner's descriptor. The thesis refers to Harris and Fraser for all of this.
#pragma once

#include "words.hpp"

namespace stm {

/// What twins leave out.
struct obstruction_free_faults {
  bool counts_nobody = false;       // who commits gives the lock back
  bool trusts_memory = false;       // a thief takes the value from memory
  bool commits_if_aborted = false;  // the status is not looked at when it becomes committed
};

/// A lock: its owner's number, or its version; how many may store; whether it is owned.
struct stealable_lock {
  int bits;

  SIMT_FN static stealable_lock free(int version) { return {version << 5}; }
  SIMT_FN static stealable_lock owned(int by, int writers) { return {by << 5 | writers << 1 | 1}; }
  SIMT_FN bool is_owned() const { return (bits & 1) != 0; }
  SIMT_FN int version() const { return bits >> 5; }
  SIMT_FN int owner() const { return bits >> 5; }
  SIMT_FN int writers() const { return bits >> 1 & 15; }
};

template <int objects, obstruction_free_faults faults = obstruction_free_faults{}>
struct obstruction_free_memory {
  static constexpr int clients = 3;
  static constexpr int each = 4;  // descriptors of a client, used in turn when no lock has them

  struct versioned {
    int value, version;
  };
  using shared_pair = simt::atomic<versioned, simt::thread_scope_device>;

  /// The public part: for each object its value before and after.
  struct descriptor {
    shared_word status{aborted};
    shared_pair before[objects]{};
    shared_pair after[objects]{};
  };
  struct transaction {
    unsigned known, changed;  // a bit for each object
    versioned before[objects];
    int after[objects];
    int number;  // of its descriptor, from its commit on
  };

  shared_word value[objects]{};
  shared_word lock[objects]{};
  descriptor all[clients * each]{};
  int last[clients]{};  // by client: its last descriptor, plus `each` once it has had all of them

  SIMT_FN void begin(transaction& t) {
    t.known = 0;
    t.changed = 0;
  }

  SIMT_FN bool read(transaction& t, int object, int& into) {
    if ((t.known & bit(object)) == 0) copy(t, object);
    into = t.after[object];
    return true;
  }

  SIMT_FN bool write(transaction& t, int object, int to) {
    if ((t.known & bit(object)) == 0) copy(t, object);
    t.changed |= bit(object);
    t.after[object] = to;
    return true;
  }

  SIMT_FN bool commit(transaction& t) {
    publish(t);
    unsigned taken = 0;
    bool all_taken = true;
    for (int object = 0; object < objects && all_taken; ++object) {
      if ((t.known & bit(object)) == 0) continue;
      all_taken = take(t, object);
      if (all_taken) taken |= bit(object);
    }
    bool done = false;
    if (all_taken) {
      int expected = active;
      done = own(t).status.compare_exchange_strong(expected, committed, order);
      if (faults.commits_if_aborted && !done) {
        own(t).status.store(committed, simt::memory_order_release);
        done = true;
      }
    }
    if (!done) abort(t.number);
    for (int object = 0; object < objects; ++object) {
      if ((taken & bit(object)) != 0) release(t, object);
    }
    return done;
  }

 private:
  static constexpr simt::memory_order order = simt::memory_order_acq_rel;
  static constexpr simt::memory_order acquire = simt::memory_order_acquire;
  static constexpr int active = 0, committed = 1, aborted = 2;

  SIMT_FN static unsigned bit(int object) { return 1U << object; }
  SIMT_FN descriptor& own(const transaction& t) { return all[t.number]; }

  SIMT_FN void abort(int which) {
    int expected = active;
    all[which].status.compare_exchange_strong(expected, aborted, order);
  }

  /// A descriptor that somebody was robbed for, or by, is needed until the lock is given back.
  SIMT_FN bool owns_something(int which) {
    for (int object = 0; object < objects; ++object) {
      const stealable_lock seen{lock[object].load(acquire)};
      if (seen.is_owned() && seen.owner() == which) return true;
    }
    return false;
  }

  /// What an object holds, by a lock that was seen: its value and version. False: look again.
  SIMT_FN bool look(int object, stealable_lock seen, versioned& into) {
    if (!seen.is_owned()) {
      into = {value[object].load(acquire), seen.version()};
    } else {
      descriptor& d = all[seen.owner()];
      const bool is_done = d.status.load(acquire) == committed;
      into = is_done ? d.after[object].load(acquire) : d.before[object].load(acquire);
      if (faults.trusts_memory) into.value = value[object].load(acquire);
    }
    return lock[object].load(acquire) == seen.bits;
  }

  SIMT_FN void copy(transaction& t, int object) {
    versioned found{};
    while (!look(object, {lock[object].load(acquire)}, found)) {
    }
    t.before[object] = found;
    t.after[object] = found.value;
    t.known |= bit(object);
  }

  /// Fills a descriptor, before any lock leads to it.
  SIMT_FN void publish(transaction& t) {
    const int me = static_cast<int>(simt::thread_rank());
    int which = last[me];
    do {
      which = which + 1 < 2 * each ? which + 1 : each;
      t.number = me * each + which % each;
    } while (which >= each && owns_something(t.number));
    last[me] = which;
    for (int object = 0; object < objects; ++object) {
      if ((t.known & bit(object)) == 0) continue;
      const versioned before = t.before[object];
      const int version = before.version + ((t.changed & bit(object)) != 0 ? 1 : 0);
      own(t).before[object].store(before, simt::memory_order_relaxed);
      own(t).after[object].store({t.after[object], version}, simt::memory_order_relaxed);
    }
    own(t).status.store(active, simt::memory_order_relaxed);
  }

  /// Takes or steals the lock. False: somebody has changed the object.
  SIMT_FN bool take(const transaction& t, int object) {
    while (true) {
      const stealable_lock seen{lock[object].load(acquire)};
      if (seen.is_owned() && all[seen.owner()].status.load(acquire) == active) {
        abort(seen.owner());
        continue;
      }
      versioned found{};
      if (!look(object, seen, found)) continue;
      if (found.version != t.before[object].version) return false;
      const int writers = seen.is_owned() ? seen.writers() + 1 : 1;
      int expected = seen.bits;
      if (lock[object].compare_exchange_strong(
              expected, stealable_lock::owned(t.number, writers).bits, order)) {
        return true;
      }
    }
  }

  /// Stores what the object holds and gives the lock back, if nobody else may still store.
  SIMT_FN void release(const transaction& t, int object) {
    while (true) {
      const stealable_lock seen{lock[object].load(acquire)};
      int expected = seen.bits;
      stealable_lock next = seen;
      const bool is_mine = seen.is_owned() && seen.owner() == t.number;
      if (faults.counts_nobody && !is_mine) return;
      if (faults.counts_nobody || seen.writers() == 1) {
        versioned last{};
        if (!look(object, seen, last)) continue;
        value[object].store(last.value, simt::memory_order_release);
        next = stealable_lock::free(last.version);
      } else {
        next = stealable_lock::owned(seen.owner(), seen.writers() - 1);
      }
      if (lock[object].compare_exchange_strong(expected, next.bits, order)) return;
    }
  }
};

}  // namespace stm
