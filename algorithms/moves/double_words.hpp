// Two words that are compared and exchanged together by a descriptor, as in Cederman's thesis
// (2011), algorithms 12 and 13. A descriptor takes the place of the first word's value, then, with
// the thread's mark, that of the second. Who reads one helps.
//
// The listing has two faults; `double_word_faults` says which of them are left in. A third one is
// not in the listing: it breaks lemma 4.1, which `is_watched` asserts. When a descriptor is used
// again, the thesis does not say. Here: when nobody helps it. Who helps is counted in the
// descriptor, looks again behind that, and takes its own late mark back before it is counted no
// more. So a descriptor that nobody helps is in no word, and nobody begins to help it.
#pragma once

#include <simt/simt.hpp>

struct double_word_faults {
  bool own_mark = false;       // D24 puts the thread's own mark into `res`, set or not
  bool returns_early = false;  // D22 returns whatever `res` is
  bool stores_mark = false;    // D24 stores the mark, whatever `res` is
};

/// The clients of moves.
inline constexpr int move_clients = simt::sized(3, 256);

/// A value below `descriptor_words::second_failed`, or a descriptor.
using shared_word = simt::atomic<int, simt::thread_scope_device>;

enum class double_word_result { first_failed, second_failed, success };

/// What stands in a word, and in `res` of a descriptor: a value, or which descriptor and whose
/// mark.
struct descriptor_words {
  // Of `res`, beside a marked descriptor. No word has these values.
  static constexpr int undecided = 0;
  static constexpr int second_failed = simt::sized(64, 1 << 18);
  static constexpr int success = second_failed + 1;
  static constexpr int first_descriptor = 2 * second_failed, marks = 2 * first_descriptor;

  SIMT_FN static int unmarked(int number) { return first_descriptor + number; }
  SIMT_FN static int marked(int number) {
    return unmarked(number) + marks * (1 + static_cast<int>(simt::thread_rank()));
  }
  SIMT_FN static int number_of(int word) { return word % marks - first_descriptor; }
  SIMT_FN static bool is_marked(int word) { return word >= marks; }
  SIMT_FN static bool is_of(int word, int number) {
    return word >= first_descriptor && number_of(word) == number;
  }
};

/// `is_watched`: lemma 4.1 is asserted. The result changes only from undecided to failed or to a
/// mark, and from a mark to success.
template <double_word_faults faults, bool is_watched = false>
struct double_words : descriptor_words {
  static constexpr int threads = move_clients;
  static constexpr int each = threads;  // descriptors of a thread: others help one each

  struct descriptor {
    int old1, new1, old2, new2;
    shared_word* ptr1;
    shared_word* ptr2;
    shared_word res{undecided};
    shared_word helpers{0};
  };

  descriptor all[threads * each]{};

  /// A descriptor of the caller, to be filled.
  SIMT_FN int allocate() {
    const int first = static_cast<int>(simt::thread_rank()) * each;
    int number = first;
    while (all[number].helpers.load(simt::memory_order_seq_cst) != 0) {
      number = number + 1 < first + each ? number + 1 : first;
    }
    all[number].res.store(undecided, simt::memory_order_release);
    return number;
  }
  SIMT_FN descriptor& operator[](int number) { return all[number]; }

  /// The initiator's DCAS.
  SIMT_FN double_word_result change(int number) {
    descriptor& d = all[number];
    int expected = d.old1;
    if (!d.ptr1->compare_exchange_strong(expected, unmarked(number), order)) {  // D10
      return double_word_result::first_failed;
    }
    return finish(number);
  }

  /// The value of a word (D32).
  SIMT_FN int read(shared_word& word) {
    while (true) {
      const int seen = word.load(simt::memory_order_acquire);
      if (seen < first_descriptor) return seen;
      shared_word& helpers = all[number_of(seen)].helpers;
      helpers.fetch_add(1, simt::memory_order_seq_cst);
      if (word.load(simt::memory_order_seq_cst) == seen) help(seen);  // D36
      helpers.fetch_sub(1, simt::memory_order_acq_rel);
    }
  }

 private:
  static constexpr simt::memory_order order = simt::memory_order_acq_rel;
  SIMT_FN static void set(shared_word& word, int from, int to) {
    word.compare_exchange_strong(from, to, order);
  }

  SIMT_FN void help(int seen) {
    descriptor& d = all[number_of(seen)];
    const int res = d.res.load(simt::memory_order_acquire);
    if (res != success && res != second_failed) {  // D4
      finish(number_of(seen));
    } else if (is_marked(seen)) {
      set(*d.ptr2, seen, d.old2);  // D6
    } else {
      set(*d.ptr1, seen, d.old1);  // D8
    }
  }

  /// From D13 on.
  SIMT_FN double_word_result finish(int number) {
    descriptor& d = all[number];
    const int mine = marked(number);
    int mark = mine;
    int expected = d.old2;
    const bool is_set = d.ptr2->compare_exchange_strong(expected, mine, order);  // D14
    if (!is_set) {
      const int there = d.ptr2->load(simt::memory_order_acquire);
      if (!is_of(there, number)) {             // D16
        set(d.res, undecided, second_failed);  // D17
        const int res = d.res.load(simt::memory_order_acquire);
        if (res == success) return double_word_result::success;
        if (res == second_failed) {
          set(*d.ptr1, unmarked(number), d.old1);  // D21
          return double_word_result::second_failed;
        }
        if (faults.returns_early) return double_word_result::second_failed;
      } else if (!faults.own_mark) {
        mark = there;
      }
    }
    if constexpr (faults.stores_mark) {
      decide(d, mark);
    } else {
      set(d.res, undecided, mark);  // D24
    }
    const int res = d.res.load(simt::memory_order_acquire);
    if (is_set && res != mine)
      set(*d.ptr2, mine, d.old2);  // D26, in the thesis behind the next test
    if (res == second_failed) return double_word_result::second_failed;
    set(*d.ptr1, unmarked(number), d.new1);  // D28
    set(*d.ptr2, res, d.new2);               // D29
    decide(d, success);
    return double_word_result::success;
  }

  SIMT_FN void decide(descriptor& d, int res) {
    if constexpr (is_watched) {
      const int before = d.res.exchange(res, order);
      const bool has_mark = before != undecided && before != second_failed;
      simt::check(res == success ? has_mark : before == undecided || before == res,
                  "the result has changed in another way than lemma 4.1 says");
    } else {
      d.res.store(res, simt::memory_order_release);
    }
  }
};
