// A hash table that a warp searches together, after the idea of Ashkiani, Farach-Colton and Owens
// (A dynamic hash table for the GPU, IPDPS 2018): a bucket has as many slots as a warp has lanes.
// The lanes that come together carry out their operations one after another; for each, every lane
// looks at one slot, and one lane changes it. A full bucket is continued by the next one. (Theirs
// gets a further bucket from a pool.)
//
// A slot gets its key once, and keeps it; a bit says whether the key is in the set. Keys fill slots
// in the order in which they are searched. So who finds an empty slot knows that the key is in none
// behind it, and of two inserts of one key both try the same slot. There must be more slots than
// different keys.
#pragma once

#include "../lanes_together.hpp"

/// `looks_again`: an insert whose slot was taken. False: it goes on with the next slot.
template <unsigned Buckets, unsigned Width, class Lanes = lanes_together, bool looks_again = true>
struct warp_table_of {
  using shared = simt::atomic<unsigned, simt::thread_scope_device>;
  enum class kind : unsigned { insert, erase, contains };

  static constexpr unsigned count = Buckets * Width;

  shared slots[count]{};  // twice the key, and one more while it is in the set; 0: no key yet

  SIMT_FN bool insert(int key) { return carry_out(kind::insert, key); }
  SIMT_FN bool erase(int key) { return carry_out(kind::erase, key); }
  SIMT_FN bool contains(int key) { return carry_out(kind::contains, key); }

  /// Keys have 30 bits, and are above 0.
  SIMT_FN bool carry_out(kind what, int key) {
    const auto lanes = Lanes::here();
    lanes.meet();
    const unsigned wanted = static_cast<unsigned>(key) << 2 | static_cast<unsigned>(what);
    bool answer = false;
    for (unsigned left = lanes.all; left != 0; left &= left - 1) {
      const int whose = simt::ffs(left) - 1;
      const unsigned next = simt::shfl(lanes.all, wanted, whose);
      const bool given = for_one(lanes, static_cast<kind>(next & 3), next >> 2);
      if (static_cast<int>(simt::lane_index()) == whose) answer = given;
    }
    lanes.meet();
    return answer;
  }

 private:
  enum outcome : int { no, yes, again };

  SIMT_FN bool for_one(const Lanes& lanes, kind what, unsigned key) {
    unsigned at = key % Buckets * Width;
    while (true) {
      shared& mine = slots[(at + lanes.rank()) % count];
      const unsigned seen = mine.load(simt::memory_order_acquire);
      const unsigned with_key = simt::ballot(lanes.all, seen >> 1 == key);
      const unsigned empty = simt::ballot(lanes.all, seen == 0);
      if (with_key == 0 && empty == 0) {
        at += lanes.count();
        continue;
      }
      if (with_key == 0 && what != kind::insert) return false;
      const int who = simt::ffs(with_key != 0 ? with_key : empty) - 1;
      int done = no;
      if (static_cast<int>(simt::lane_index()) == who) done = in_slot(mine, seen, what, key);
      done = simt::shfl(lanes.all, done, who);
      if (done != again) return done == yes;
      if constexpr (!looks_again) ++at;
    }
  }

  /// Of the lane whose slot has the key, or is the first empty one.
  SIMT_FN static int in_slot(shared& slot, unsigned seen, kind what, unsigned key) {
    if (what == kind::contains) return (seen & 1) != 0 ? yes : no;
    const unsigned changed = key << 1 | (what == kind::insert ? 1U : 0U);
    if (seen == changed) return no;
    const bool was_empty = seen == 0;
    if (slot.compare_exchange_strong(seen, changed, simt::memory_order_release,
                                     simt::memory_order_acquire))
      return yes;
    return was_empty ? again : no;  // somebody else has inserted or erased the key
  }
};
