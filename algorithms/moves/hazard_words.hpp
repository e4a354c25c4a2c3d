// Nodes, and two words that are compared and exchanged together by a descriptor, where nodes and
// descriptors are both used again (Cederman's thesis, 2011, algorithms 12 and 13, with D22 and D24
// mended). A word may be part of a node: who helps guards that node with a hazard pointer before it
// looks whether the result is known (D3, D4). While it is not, the initiator guards the node too.
//
// A thread whose mark came too late takes it back before it lets go of the descriptor. So a
// descriptor that nobody helps is in no word, and its owner need not look at words to find out:
// they may be in nodes that are no longer in use.
#pragma once

#include "../hazard_nodes.hpp"
#include "containers_of.hpp"

/// Which of a thread's hazard pointers guards what, and which faults are left in. The two
/// operations of a move have hazard pointers of their own, as definition 4.1 asks: those of the
/// insertion are set while the removal's are needed.
struct move_hazards {
  int removal = 0;    // the node that a removal takes out (hp3 of algorithm 15, hp of 17)
  int next = 1;       // the node behind it in a queue (hp4)
  int insertion = 2;  // the node whose `next` an insertion changes (hp1 of algorithm 14)
  int help = 3;       // the same node, when another thread helps
  int count = 4;
  bool guards_help = true;         // D3
  bool leaves_late_marks = false;  // D26 takes a mark back only where the DCAS has failed
};

template <move_hazards hazards>
struct hazard_words : descriptor_words {
  using alone = no_move<simt::memory_order_seq_cst>;
  static constexpr bool guards = true;
  static constexpr move_hazards slots = hazards;
  static constexpr int threads = 3;
  static constexpr int each = threads;  // descriptors of a thread: others help one each

  struct descriptor {
    int old1, new1, old2, new2;
    shared_word* ptr1;
    shared_word* ptr2;
    int guard2;  // the node that `ptr2` is part of; 0: none
    shared_word res{undecided};
  };

  hazard_nodes<hazards.count> nodes;
  descriptor all[threads * each]{};
  shared_word helps[threads]{};  // of each thread: which descriptor, plus 1; 0: none

  SIMT_FN int dummy(int) { return nodes.allocate(); }
  SIMT_FN void release() { nodes.release(); }

  /// A descriptor of the caller, to be filled.
  SIMT_FN int allocate() {
    const int first = static_cast<int>(simt::thread_rank()) * each;
    int number = first;
    while (is_helped(number)) number = number + 1 < first + each ? number + 1 : first;
    all[number].res.store(undecided, simt::memory_order_release);
    return number;
  }
  SIMT_FN descriptor& operator[](int number) { return all[number]; }

  /// The initiator's DCAS. It guards the node of the second word.
  SIMT_FN double_word_result change(int number) {
    descriptor& d = all[number];
    int expected = d.old1;
    if (!d.ptr1->compare_exchange_strong(expected, unmarked(number), order)) {  // D10
      return double_word_result::first_failed;
    }
    return finish(number);
  }

  /// The value of a word (D32). The caller guards the word's node.
  SIMT_FN int read(shared_word& word) {
    while (true) {
      const int seen = word.load(order);
      if (seen < first_descriptor) return seen;
      shared_word& mine = helps[simt::thread_rank()];
      mine.store(number_of(seen) + 1, order);
      if (word.load(order) == seen) help(seen);  // D36
      mine.store(0, simt::memory_order_release);
    }
  }

 private:
  // Each hazard pointer is set before a look that must not miss what happens before its reader
  // looks for it: all of them are in one order.
  static constexpr simt::memory_order order = simt::memory_order_seq_cst;
  SIMT_FN bool is_helped(int number) {
    for (unsigned other = 0; other < simt::grid_size(); ++other) {
      if (other == simt::thread_rank()) continue;
      if (helps[other].load(order) == number + 1) return true;
    }
    return false;
  }
  SIMT_FN static void set(shared_word& word, int from, int to) {
    word.compare_exchange_strong(from, to, order);
  }

  SIMT_FN void help(int seen) {
    descriptor& d = all[number_of(seen)];
    if (hazards.guards_help && d.guard2 != 0) nodes.protect(hazards.help, d.guard2);  // D3
    const int res = d.res.load(order);
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
      const int there = d.ptr2->load(order);
      if (!is_of(there, number)) {             // D16
        set(d.res, undecided, second_failed);  // D17
        const int res = d.res.load(order);
        if (res == success) return double_word_result::success;
        if (res == second_failed) {
          set(*d.ptr1, unmarked(number), d.old1);  // D21
          return double_word_result::second_failed;
        }
      } else {
        mark = there;
      }
    }
    set(d.res, undecided, mark);  // D24
    const int res = d.res.load(order);
    const bool is_late = hazards.leaves_late_marks ? res == second_failed : res != mine;
    if (is_set && is_late) set(*d.ptr2, mine, d.old2);  // D26
    if (res == second_failed) return double_word_result::second_failed;
    set(*d.ptr1, unmarked(number), d.new1);  // D28
    set(*d.ptr2, res, d.new2);               // D29
    d.res.store(success, order);
    return double_word_result::success;
  }
};
