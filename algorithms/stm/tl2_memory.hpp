// Transactional Locking II (Dice, Shalev and Shavit, DISC 2006): a global clock; a lock for each
// word, with the time of its last change. A transaction reads the clock first, and aborts when it
// meets a word that is younger: so all that it reads belongs to that time.
#pragma once

#include "words.hpp"

namespace stm {

/// What twins leave out.
struct tl2_faults {
  bool reads_young_words = false;  // a word may be younger than the transaction
  bool reads_lock_once = false;    // the lock is not read again behind the word
  bool does_not_validate = false;  // what was read is not looked at before writing
};

template <int objects, tl2_faults faults = tl2_faults{}>
struct tl2_memory {
  /// Its reads and writes, as bits; the values that it writes.
  struct transaction {
    int time;
    unsigned reads, writes;
    int values[objects];
  };

  shared_word value[objects]{};
  shared_word lock[objects]{};  // twice the time of the last change; plus 1: taken
  shared_word clock{0};

  SIMT_FN void begin(transaction& t) {
    t.reads = 0;
    t.writes = 0;
    t.time = clock.load(simt::memory_order_acquire);
  }

  SIMT_FN bool read(transaction& t, int word, int& into) {
    if ((t.writes & bit(word)) != 0) {
      into = t.values[word];
      return true;
    }
    const int before = lock[word].load(simt::memory_order_acquire);
    into = value[word].load(simt::memory_order_acquire);
    if (!faults.reads_lock_once && lock[word].load(simt::memory_order_relaxed) != before) {
      return false;
    }
    if (is_taken(before) || (!faults.reads_young_words && time_of(before) > t.time)) return false;
    t.reads |= bit(word);
    return true;
  }

  SIMT_FN bool write(transaction& t, int word, int to) {
    t.writes |= bit(word);
    t.values[word] = to;
    return true;
  }

  SIMT_FN bool commit(transaction& t) {
    if (t.writes == 0) return true;
    unsigned taken = 0;
    for (int word = 0; word < objects; ++word) {
      if ((t.writes & bit(word)) == 0) continue;
      int seen = lock[word].load(simt::memory_order_relaxed);
      if (is_taken(seen) ||
          !lock[word].compare_exchange_strong(seen, seen + 1, simt::memory_order_acq_rel)) {
        return give_up(taken);
      }
      taken |= bit(word);
    }
    const int now = clock.fetch_add(1, simt::memory_order_acq_rel) + 1;
    if (!faults.does_not_validate && now != t.time + 1 && !is_valid(t)) return give_up(taken);
    for (int word = 0; word < objects; ++word) {
      if ((t.writes & bit(word)) == 0) continue;
      value[word].store(t.values[word], simt::memory_order_release);
      lock[word].store(2 * now, simt::memory_order_release);
    }
    return true;
  }

 private:
  SIMT_FN static unsigned bit(int word) { return 1U << word; }
  SIMT_FN static bool is_taken(int seen) { return (seen & 1) != 0; }
  SIMT_FN static int time_of(int seen) { return seen >> 1; }

  /// What was read is as old as then, and nobody else is about to change it.
  SIMT_FN bool is_valid(const transaction& t) {
    for (int word = 0; word < objects; ++word) {
      if ((t.reads & bit(word)) == 0) continue;
      const int seen = lock[word].load(simt::memory_order_acquire);
      if (time_of(seen) > t.time) return false;
      if (is_taken(seen) && (t.writes & bit(word)) == 0) return false;
    }
    return true;
  }
  SIMT_FN bool give_up(unsigned taken) {
    for (int word = 0; word < objects; ++word) {
      if ((taken & bit(word)) == 0) continue;
      const int seen = lock[word].load(simt::memory_order_relaxed);
      lock[word].store(seen - 1, simt::memory_order_release);
    }
    return false;
  }
};

}  // namespace stm
