// Two words that are compared and exchanged together by the MCAS of Harris, Fraser and Pratt (A
// practical multi-word compare-and-swap operation, DISC 2002): words are taken in the order of
// their addresses, each by a CAS that also looks whether the MCAS is undecided (RDCSS), and who
// meets another's descriptor helps. The reference for `double_words`, which helps at reads alone.
//
// Descriptors are never used again.
#pragma once

#include "double_words.hpp"

struct multi_words {
  static constexpr int threads = 3;
  static constexpr int each = 4;         // descriptors of a thread
  static constexpr int each_claim = 16;  // of its RDCSS operations

  struct descriptor {
    int old1, new1, old2, new2;
    shared_word* ptr1;
    shared_word* ptr2;
    shared_word res{undecided};
  };
  /// An RDCSS: the word gets the descriptor of the MCAS, if that is undecided, in place of `old`.
  struct claim {
    int number, old;
    shared_word* word;
  };

  descriptor all[threads * each]{};
  claim claims[threads * each_claim]{};
  int used[threads]{};
  int used_claims[threads]{};

  SIMT_FN int allocate() {
    const int me = static_cast<int>(simt::thread_rank());
    simt::check(used[me] < each, "no descriptor is left");
    return me * each + used[me]++;
  }
  SIMT_FN descriptor& operator[](int number) { return all[number]; }

  SIMT_FN double_word_result change(int number) {
    finish(number);
    const int res = all[number].res.load(simt::memory_order_acquire);
    if (res == succeeded) return double_word_result::success;
    return res == first_failed ? double_word_result::first_failed
                               : double_word_result::second_failed;
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
  static constexpr int undecided = 0, succeeded = 1, first_failed = 2, second_failed = 3;
  static constexpr int first_descriptor = 128, first_claim = 256;
  static constexpr int nobody = -1;

  SIMT_FN static void set(shared_word& word, int from, int to) {
    word.compare_exchange_strong(from, to, order);
  }
  SIMT_FN bool is_undecided(int number) {
    return all[number].res.load(simt::memory_order_acquire) == undecided;
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

  /// Decides it, and gives both words their values; or says whose descriptor has to go first.
  SIMT_FN int advance(int number) {
    descriptor& d = all[number];
    int result = succeeded;
    if (is_undecided(number)) {
      for (int i = 0; i < 2 && result == succeeded; ++i) {
        const bool is_first = (d.ptr1 < d.ptr2) == (i == 0);
        const int old = is_first ? d.old1 : d.old2;
        const int seen = take(number, is_first ? *d.ptr1 : *d.ptr2, old);
        if (seen == old || seen == first_descriptor + number) continue;
        if (seen >= first_descriptor) return seen - first_descriptor;
        result = is_first ? first_failed : second_failed;
      }
      set(d.res, undecided, result);
    }
    const bool is_done = d.res.load(simt::memory_order_acquire) == succeeded;
    set(*d.ptr1, first_descriptor + number, is_done ? d.new1 : d.old1);
    set(*d.ptr2, first_descriptor + number, is_done ? d.new2 : d.old2);
    return nobody;
  }

  /// The RDCSS. What it has found in the word: `old`, or why it has done nothing.
  SIMT_FN int take(int number, shared_word& word, int old) {
    const int me = static_cast<int>(simt::thread_rank());
    simt::check(used_claims[me] < each_claim, "no claim is left");
    const int mine = me * each_claim + used_claims[me]++;
    claims[mine].number = number;
    claims[mine].old = old;
    claims[mine].word = &word;
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
    claim& c = claims[which];
    const int to = is_undecided(c.number) ? first_descriptor + c.number : c.old;
    set(*c.word, first_claim + which, to);
  }
};
