// The obstruction-free STM of Cederman's thesis (2011), section 5.4.1, as in
// obstruction_free_memory.hpp, with a list of items for each transaction. A lock that is owned has
// the number of its item in the owner's descriptor, so nobody looks for it.
//
// The text says that a transaction acquires locks for "its write locations", and does not say how
// it makes sure of what it has only read. `what_is_locked` has the readings.
//
// A client looks for descriptors that it may use again only when it has none left. Where it is
// measured, others may have each of its descriptors for a moment; then it waits.
#pragma once

#include "../obstruction_free_memory.hpp"
#include "items.hpp"

namespace stm {

/// A lock: its version; or its owner's number, which of its items it is, and how many may store.
struct item_lock {
  static constexpr int item_bits = 8, writer_bits = 10;
  static constexpr int most_owners = 1 << (31 - item_bits - writer_bits);

  int bits;

  SIMT_FN static item_lock free(int version) { return {version << 1}; }
  SIMT_FN static item_lock owned(int by, int item, int writers) {
    const unsigned all = (static_cast<unsigned>(by) << item_bits | static_cast<unsigned>(item))
                             << writer_bits |
                         static_cast<unsigned>(writers);
    return {static_cast<int>(all << 1 | 1U)};
  }
  SIMT_FN bool is_owned() const { return (bits & 1) != 0; }
  SIMT_FN int version() const { return bits >> 1; }
  SIMT_FN int owner() const { return static_cast<int>(unsigned_bits() >> item_bits); }
  SIMT_FN int item() const { return static_cast<int>(unsigned_bits()) & ((1 << item_bits) - 1); }
  SIMT_FN int writers() const { return bits >> 1 & ((1 << writer_bits) - 1); }

 private:
  SIMT_FN unsigned unsigned_bits() const {
    return static_cast<unsigned>(bits) >> (1 + writer_bits);
  }
};

/// What a transaction that changes something takes the locks of. `read_and_written`: all its
/// objects. `written`: those that it changes; behind that it looks at the others once more, and
/// aborts who owns one of them and is not done. `written_and_trusts_owners` aborts nobody there,
/// and `written_without_fence` has no fence between (broken twins).
enum class what_is_locked {
  read_and_written,
  written,
  written_and_trusts_owners,
  written_without_fence
};

template <int objects, obstruction_free_faults faults = obstruction_free_faults{},
          what_is_locked locked = what_is_locked::read_and_written>
struct listed_obstruction_free_memory {
  static constexpr int clients = most_clients;
  static constexpr int each = simt::sized(4, 16);  // descriptors of a client
  static constexpr int most = most_items<objects>;
  static_assert(clients * each <= item_lock::most_owners && most <= 1 << item_lock::item_bits &&
                clients < 1 << item_lock::writer_bits);

  struct versioned {
    int value, version;
  };
  using shared_pair = simt::atomic<versioned, simt::thread_scope_device>;

  /// The public part: for each item its value before and after.
  struct descriptor {
    shared_word status{aborted};
    shared_pair before[most]{};
    shared_pair after[most]{};
    int left = 0;  // the client's: how many of its locks others have to give back, and of what
    int left_objects[most]{};
  };
  struct item {
    int object, before, version, after;  // as read; and as it is to be
    int is_changed;                      // a flag
  };
  struct transaction {
    item_list<item, most> items;
    int number;  // of its descriptor, from its commit on
  };

  shared_word value[objects]{};
  shared_word lock[objects]{};
  descriptor all[clients * each]{};
  unsigned used[clients]{};        // by client: descriptors that may still be in use, as bits
  shared_word watched[clients]{};  // by client: the descriptor that it looks at, plus 1; 0: none

  SIMT_FN void begin(transaction& t) { t.items.count = 0; }

  SIMT_FN bool read(transaction& t, int object, int& into) {
    into = known(t, object).after;
    return true;
  }

  SIMT_FN bool write(transaction& t, int object, int to) {
    item& one = known(t, object);
    one.is_changed = 1;
    one.after = to;
    return true;
  }

  SIMT_FN bool commit(transaction& t) {
    if (!changes(t)) return is_valid(t);
    publish(t);
    int taken = 0;
    while (taken < t.items.count && (!is_locked(t, taken) || take(t, taken))) ++taken;
    bool done = false;
    if (taken == t.items.count && is_still_read(t)) {
      int expected = active;
      done = own(t).status.compare_exchange_strong(expected, committed, order);
    }
    if (!done) abort(t.number);
    for (int i = 0; i < taken; ++i) {
      if (is_locked(t, i)) release(t, i);
    }
    return done;
  }

 private:
  static constexpr simt::memory_order order = simt::memory_order_acq_rel;
  static constexpr simt::memory_order acquire = simt::memory_order_acquire;
  static constexpr int active = 0, committed = 1, aborted = 2;

  SIMT_FN static int me() { return static_cast<int>(simt::thread_rank()); }
  SIMT_FN static void fence() {
    simt::atomic_thread_fence(simt::memory_order_seq_cst, simt::thread_scope_device);
  }
  SIMT_FN descriptor& own(const transaction& t) { return all[t.number]; }

  SIMT_FN void abort(int which) {
    int expected = active;
    all[which].status.compare_exchange_strong(expected, aborted, order);
  }

  SIMT_FN item& known(transaction& t, int object) {
    const int at = t.items.find(object);
    if (at >= 0) return t.items.all[at];
    const versioned found = current(object);
    item& one = t.items.add(object);
    one.before = found.value;
    one.version = found.version;
    one.after = found.value;
    one.is_changed = 0;
    return one;
  }

  SIMT_FN static bool changes(const transaction& t) {
    for (int i = 0; i < t.items.count; ++i) {
      if (t.items.all[i].is_changed != 0) return true;
    }
    return false;
  }

  // --- descriptors ---

  /// A descriptor of the client that is in no lock, and that nobody looks at.
  SIMT_FN int take_unused() {
    unsigned& in_use = used[me()];
    constexpr unsigned whole = (1U << each) - 1;
    while (in_use == whole) {
      in_use = watched_by_others();
      for (int i = 0; i < each; ++i) {
        if (is_left(me() * each + i)) in_use |= 1U << i;
      }
    }
    int i = 0;
    while ((in_use >> i & 1U) != 0) ++i;
    in_use |= 1U << i;
    return me() * each + i;
  }

  SIMT_FN unsigned watched_by_others() {
    unsigned seen = 0;
    fence();
    const int there = simt::min(clients, static_cast<int>(simt::grid_size()));
    for (int client = 0; client < there; ++client) {
      const int which = watched[client].load(simt::memory_order_relaxed) - 1 - me() * each;
      if (client != me() && which >= 0 && which < each) seen |= 1U << which;
    }
    simt::atomic_thread_fence(acquire, simt::thread_scope_device);
    return seen;
  }

  /// Others have to give back a lock of the client's descriptor.
  SIMT_FN bool is_left(int number) {
    descriptor& d = all[number];
    while (d.left > 0) {
      const item_lock seen{lock[d.left_objects[d.left - 1]].load(acquire)};
      if (seen.is_owned() && seen.owner() == number) return true;
      --d.left;
    }
    return false;
  }

  /// Nobody uses the descriptor again until the client looks at another. False: nobody has it.
  SIMT_FN bool watch(int object, item_lock seen) {
    watched[me()].store(seen.owner() + 1, simt::memory_order_release);
    fence();
    return lock[object].load(acquire) == seen.bits;
  }
  SIMT_FN void watch_nothing() { watched[me()].store(0, simt::memory_order_release); }

  /// Fills a descriptor, before any lock leads to it.
  SIMT_FN void publish(transaction& t) {
    t.number = take_unused();
    for (int i = 0; i < t.items.count; ++i) {
      const item& one = t.items.all[i];
      own(t).before[i].store({one.before, one.version}, simt::memory_order_release);
      own(t).after[i].store({one.after, one.version + one.is_changed}, simt::memory_order_release);
    }
    own(t).status.store(active, simt::memory_order_release);
  }

  // --- objects ---

  /// What an object holds, by a lock that was seen, and is watched if it is owned: its value and
  /// version. False: look again.
  SIMT_FN bool look(int object, item_lock seen, versioned& into) {
    if (!seen.is_owned()) {
      into = {value[object].load(acquire), seen.version()};
    } else {
      descriptor& d = all[seen.owner()];
      const bool is_done = d.status.load(acquire) == committed;
      into = is_done ? d.after[seen.item()].load(acquire) : d.before[seen.item()].load(acquire);
    }
    return lock[object].load(acquire) == seen.bits;
  }

  SIMT_FN versioned current(int object) {
    versioned found{};
    bool watches = false;
    while (true) {
      const item_lock seen{lock[object].load(acquire)};
      watches = watches || seen.is_owned();
      if (seen.is_owned() && !watch(object, seen)) continue;
      if (look(object, seen, found)) break;
    }
    if (watches) watch_nothing();
    return found;
  }

  /// Of a transaction that has changed nothing: all that it read was there at its last read.
  SIMT_FN bool is_valid(const transaction& t) {
    for (int i = 0; i < t.items.count; ++i) {
      const item& one = t.items.all[i];
      if (current(one.object).version != one.version) return false;
    }
    return true;
  }

  SIMT_FN static bool is_locked(const transaction& t, int i) {
    return locked == what_is_locked::read_and_written || t.items.all[i].is_changed != 0;
  }

  /// Of a transaction that has all its locks: what has none is as it was read. Of two transactions
  /// that write what the other one reads, one finds the other's lock, because of the fence.
  SIMT_FN bool is_still_read(const transaction& t) {
    if constexpr (locked == what_is_locked::read_and_written) return true;
    if constexpr (locked != what_is_locked::written_without_fence) fence();
    for (int i = 0; i < t.items.count; ++i) {
      if (!is_locked(t, i) && !is_still_read(t.items.all[i])) return false;
    }
    return true;
  }
  SIMT_FN bool is_still_read(const item& one) {
    bool watches = false;
    versioned found{};
    while (true) {
      const item_lock seen{lock[one.object].load(acquire)};
      watches = watches || seen.is_owned();
      if (seen.is_owned() && !watch(one.object, seen)) continue;
      const bool stops = locked != what_is_locked::written_and_trusts_owners && seen.is_owned() &&
                         all[seen.owner()].status.load(acquire) == active;
      if (stops) abort(seen.owner());
      if (look(one.object, seen, found)) break;
    }
    if (watches) watch_nothing();
    return found.version == one.version;
  }

  /// Takes or steals the lock. False: somebody has changed the object.
  SIMT_FN bool take(const transaction& t, int i) {
    const item& one = t.items.all[i];
    bool watches = false;
    bool taken = false;
    while (!taken) {
      const item_lock seen{lock[one.object].load(acquire)};
      watches = watches || seen.is_owned();
      if (seen.is_owned() && !watch(one.object, seen)) continue;
      if (seen.is_owned() && all[seen.owner()].status.load(acquire) == active) {
        abort(seen.owner());
      }
      versioned found{};
      if (!look(one.object, seen, found)) continue;
      if (found.version != one.version) break;
      const int writers = seen.is_owned() ? seen.writers() + 1 : 1;
      int expected = seen.bits;
      taken = lock[one.object].compare_exchange_strong(
          expected, item_lock::owned(t.number, i, writers).bits, order);
    }
    if (watches) watch_nothing();
    return taken;
  }

  /// Stores what the object holds and gives the lock back, if nobody else may still store.
  SIMT_FN void release(const transaction& t, int i) {
    const int object = t.items.all[i].object;
    bool watches = false;
    while (true) {
      const item_lock seen{lock[object].load(acquire)};
      const bool is_mine = seen.is_owned() && seen.owner() == t.number;
      if (faults.counts_nobody && !is_mine) break;
      int expected = seen.bits;
      item_lock next = item_lock::owned(seen.owner(), seen.item(), seen.writers() - 1);
      const bool is_last = faults.counts_nobody || seen.writers() == 1;
      if (is_last) {
        watches = watches || !is_mine;
        if (!is_mine && !watch(object, seen)) continue;
        versioned last{};
        if (!look(object, seen, last)) continue;
        value[object].store(last.value, simt::memory_order_release);
        next = item_lock::free(last.version);
      }
      if (!lock[object].compare_exchange_strong(expected, next.bits, order)) continue;
      if (is_mine && !is_last) own(t).left_objects[own(t).left++] = object;
      break;
    }
    if (watches) watch_nothing();
  }
};

}  // namespace stm
