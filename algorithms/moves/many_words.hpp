// Words that are compared and exchanged together by the MCAS of Harris, Fraser and Pratt (A
// practical multi-word compare-and-swap operation, DISC 2002): words are taken in the order of
// their addresses, each by a CAS that also looks whether the MCAS is undecided (RDCSS), and who
// meets another's descriptor helps. A descriptor has an entry for each word, and says where it has
// failed.
//
// Descriptors are never used again.
#pragma once

#include "double_words.hpp"

/// `claims`: a word is taken only while the MCAS is undecided (RDCSS). Without it, a helper that is
/// late takes a word again whose old value has come back.
template <int most_words, bool claims = true>
struct many_words {
  static constexpr int threads = 3;
  static constexpr int each = 4;         // descriptors of a thread
  static constexpr int each_claim = 24;  // of its RDCSS operations
  static constexpr int nowhere = -1;

  struct entry {
    shared_word* word;
    int old, fresh;
  };
  struct descriptor {
    entry entries[most_words];
    int words;  // that are used
    shared_word res{undecided};
  };
  /// An RDCSS: the word gets the descriptor of the MCAS, if that is undecided, in place of `old`.
  struct claim {
    int number, old;
    shared_word* word;
  };

  descriptor all[threads * each]{};
  claim claim_of[threads * each_claim]{};
  int used[threads]{};
  int used_claims[threads]{};

  SIMT_FN int allocate(int words) {
    const int me = static_cast<int>(simt::thread_rank());
    simt::check(used[me] < each, "no descriptor is left");
    const int number = me * each + used[me]++;
    all[number].words = words;
    return number;
  }
  SIMT_FN descriptor& operator[](int number) { return all[number]; }

  /// Returns the entry whose word was not as expected, or `nowhere`: all have changed.
  SIMT_FN int change(int number) {
    finish(number);
    return all[number].res.load(simt::memory_order_acquire) - succeeded - 1;
  }

  SIMT_FN int read(shared_word& word) {
    while (true) {
      const int seen = word.load(simt::memory_order_acquire);
      if (seen < first_descriptor) return seen;
      if (seen >= first_claim) {
        complete(seen - first_claim);
      } else {
        finish(seen - first_descriptor);
      }
    }
  }

 private:
  static constexpr simt::memory_order order = simt::memory_order_acq_rel;
  static constexpr int undecided = 0;
  static constexpr int succeeded = 1;  // beyond: failed, by the entry
  static constexpr int first_descriptor = 128, first_claim = 256;
  static constexpr int nobody = -1;

  SIMT_FN static void set(shared_word& word, int from, int to) {
    word.compare_exchange_strong(from, to, order);
  }
  SIMT_FN bool is_undecided(int number) {
    return all[number].res.load(simt::memory_order_acquire) == undecided;
  }

  /// Returns the entry with the word of this rank by address.
  SIMT_FN static int ranked(const descriptor& d, int rank) {
    int found = 0;
    for (int i = 0; i < d.words; ++i) {
      int before = 0;
      for (int j = 0; j < d.words; ++j) {
        const bool is_before = d.entries[j].word < d.entries[i].word ||
                               (d.entries[j].word == d.entries[i].word && j < i);
        before += is_before ? 1 : 0;
      }
      if (before == rank) found = i;
    }
    return found;
  }

  /// Decides the MCAS, and all that stand in its way.
  SIMT_FN void finish(int number) {
    int now = number;
    while (true) {
      const int other = advance(now);
      if (other == nobody && now == number) return;
      now = other == nobody ? number : other;
    }
  }

  /// Decides it, and gives all words their values; or says whose descriptor has to go first.
  SIMT_FN int advance(int number) {
    descriptor& d = all[number];
    if (is_undecided(number)) {
      int result = succeeded;
      for (int i = 0; i < d.words && result == succeeded; ++i) {
        const int at = ranked(d, i);
        const int seen = take(number, *d.entries[at].word, d.entries[at].old);
        if (seen == d.entries[at].old || seen == first_descriptor + number) continue;
        if (seen >= first_descriptor) return seen - first_descriptor;
        result = succeeded + 1 + at;
      }
      set(d.res, undecided, result);
    }
    const bool is_done = d.res.load(simt::memory_order_acquire) == succeeded;
    for (int i = 0; i < d.words; ++i) {
      const entry& e = d.entries[i];
      set(*e.word, first_descriptor + number, is_done ? e.fresh : e.old);
    }
    return nobody;
  }

  /// Returns what was found in the word: `old`, or why nothing was done.
  SIMT_FN int take(int number, shared_word& word, int old) {
    if constexpr (!claims) {
      int seen = old;
      word.compare_exchange_strong(seen, first_descriptor + number, order);
      return seen;
    }
    const int me = static_cast<int>(simt::thread_rank());
    simt::check(used_claims[me] < each_claim, "no claim is left");
    const int mine = me * each_claim + used_claims[me]++;
    claim_of[mine].number = number;
    claim_of[mine].old = old;
    claim_of[mine].word = &word;
    while (true) {
      int seen = old;
      if (word.compare_exchange_strong(seen, first_claim + mine, order)) {
        complete(mine);
        return old;
      }
      if (seen < first_claim) return seen;
      complete(seen - first_claim);
    }
  }
  SIMT_FN void complete(int which) {
    claim& c = claim_of[which];
    const int to = is_undecided(c.number) ? first_descriptor + c.number : c.old;
    set(*c.word, first_claim + which, to);
  }
};
