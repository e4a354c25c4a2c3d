// The obstruction-free STM of Cederman's thesis (2011), section 5.4.1, after Harris and Fraser
// (Language support for lightweight transactions, OOPSLA 2003): a lock is a version or the
// descriptor of a transaction, and nobody waits for it. Who finds the descriptor of an active
// transaction aborts that; who finds one that is decided steals the lock, and takes over the value
// that the object has by the descriptor.
//
// A committed transaction that has been robbed may be about to store its value. So a lock counts
// the transactions that may still store, and only the last of them gives it back: until then the
// value is that of the owner's descriptor. The thesis refers to Harris and Fraser for all of this.
//
// A transaction that has changed nothing takes no locks.
//
// Harris and Fraser leave descriptors to a garbage collector. Here a client uses one again when no
// lock has it and nobody looks at it (hazard pointers, Michael 2004).
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
  // Descriptors of a client: others look at one each, and have locks of two to give back.
  static constexpr int each = clients + 1;

  struct versioned {
    int value, version;
  };
  using shared_pair = simt::atomic<versioned, simt::thread_scope_device>;

  /// The public part: for each object its value before and after.
  struct descriptor {
    shared_word status{aborted};
    shared_pair before[objects]{};
    shared_pair after[objects]{};
    unsigned left = 0;  // the client's: its locks that others have to give back
  };
  struct transaction {
    unsigned known, changed;                // a bit for each object
    int before[objects], version[objects];  // as read
    int after[objects];
    int number;  // of its descriptor, from its commit on
  };

  shared_word value[objects]{};
  shared_word lock[objects]{};
  descriptor all[clients * each]{};
  shared_word watched[clients]{};  // by client: the descriptor that it looks at, plus 1; 0: none

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
    if (t.changed == 0) return is_valid(t);
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

  SIMT_FN static int me() { return static_cast<int>(simt::thread_rank()); }
  SIMT_FN static void fence() {
    simt::atomic_thread_fence(simt::memory_order_seq_cst, simt::thread_scope_device);
  }

  /// The client's descriptor is in no lock, and nobody looks at it.
  SIMT_FN bool is_unused(int number) {
    descriptor& d = all[number];
    for (int object = 0; object < objects && d.left != 0; ++object) {
      if ((d.left & bit(object)) == 0) continue;
      const stealable_lock seen{lock[object].load(acquire)};
      if (seen.is_owned() && seen.owner() == number) return false;
      d.left &= ~bit(object);
    }
    for (int client = 0; client < clients; ++client) {
      if (client != me() && watched[client].load(acquire) == number + 1) return false;
    }
    return true;
  }

  /// Nobody uses the descriptor again until the client looks at another. False: nobody has it.
  SIMT_FN bool watch(int object, stealable_lock seen) {
    watched[me()].store(seen.owner() + 1, simt::memory_order_release);
    fence();
    return lock[object].load(acquire) == seen.bits;
  }
  SIMT_FN void watch_nothing() { watched[me()].store(0, simt::memory_order_release); }

  /// What an object holds, by a lock that was seen, and is watched if it is owned: its value and
  /// version. False: look again.
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

  SIMT_FN versioned current(int object) {
    versioned found{};
    bool watches = false;
    while (true) {
      const stealable_lock seen{lock[object].load(acquire)};
      watches = watches || seen.is_owned();
      if (seen.is_owned() && !watch(object, seen)) continue;
      if (look(object, seen, found)) break;
    }
    if (watches) watch_nothing();
    return found;
  }

  SIMT_FN void copy(transaction& t, int object) {
    const versioned found = current(object);
    t.before[object] = found.value;
    t.version[object] = found.version;
    t.after[object] = found.value;
    t.known |= bit(object);
  }

  /// Of a transaction that has changed nothing: all that it read was there at its last read.
  SIMT_FN bool is_valid(const transaction& t) {
    for (int object = 0; object < objects; ++object) {
      if ((t.known & bit(object)) == 0) continue;
      if (current(object).version != t.version[object]) return false;
    }
    return true;
  }

  /// Fills a descriptor, before any lock leads to it.
  SIMT_FN void publish(transaction& t) {
    fence();
    t.number = me() * each;
    while (!is_unused(t.number))
      t.number = t.number + 1 < (me() + 1) * each ? t.number + 1 : me() * each;
    for (int object = 0; object < objects; ++object) {
      if ((t.known & bit(object)) == 0) continue;
      const int version = t.version[object] + ((t.changed & bit(object)) != 0 ? 1 : 0);
      own(t).before[object].store({t.before[object], t.version[object]},
                                  simt::memory_order_release);
      own(t).after[object].store({t.after[object], version}, simt::memory_order_release);
    }
    own(t).status.store(active, simt::memory_order_release);
  }

  /// Takes or steals the lock. False: somebody has changed the object.
  SIMT_FN bool take(const transaction& t, int object) {
    bool watches = false;
    bool taken = false;
    while (!taken) {
      const stealable_lock seen{lock[object].load(acquire)};
      watches = watches || seen.is_owned();
      if (seen.is_owned() && !watch(object, seen)) continue;
      if (seen.is_owned() && all[seen.owner()].status.load(acquire) == active) {
        abort(seen.owner());
      }
      versioned found{};
      if (!look(object, seen, found)) continue;
      if (found.version != t.version[object]) break;
      const int writers = seen.is_owned() ? seen.writers() + 1 : 1;
      int expected = seen.bits;
      taken = lock[object].compare_exchange_strong(
          expected, stealable_lock::owned(t.number, writers).bits, order);
    }
    if (watches) watch_nothing();
    return taken;
  }

  /// Stores what the object holds and gives the lock back, if nobody else may still store.
  SIMT_FN void release(const transaction& t, int object) {
    bool watches = false;
    while (true) {
      const stealable_lock seen{lock[object].load(acquire)};
      const bool is_mine = seen.is_owned() && seen.owner() == t.number;
      if (faults.counts_nobody && !is_mine) break;
      int expected = seen.bits;
      stealable_lock next = stealable_lock::owned(seen.owner(), seen.writers() - 1);
      const bool is_last = faults.counts_nobody || seen.writers() == 1;
      if (is_last) {
        watches = watches || !is_mine;
        if (!is_mine && !watch(object, seen)) continue;
        versioned last{};
        if (!look(object, seen, last)) continue;
        value[object].store(last.value, simt::memory_order_release);
        next = stealable_lock::free(last.version);
      }
      if (!lock[object].compare_exchange_strong(expected, next.bits, order)) continue;
      if (is_mine && !is_last) own(t).left |= bit(object);
      break;
    }
    if (watches) watch_nothing();
  }
};

}  // namespace stm
