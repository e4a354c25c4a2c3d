// PTX's bulk copies (cp.async.bulk, cp.reduce.async.bulk): how threads hand them to the agent of
// their block, and what the agent does. The agent is a lane of its own (grid_shape::copies).
//
// Models: copies in any order. Each moves all its bytes at any moment between its issue and its
// end. Also groups of a thread, and when their sources have been read; bytes at an mbarrier; proxy
// fences (see "Marks"). Does not model: the order of the bytes of one copy. A store's destination
// has its new bytes when the source has been read, and is written once more before the copy ends.
// So whoever relies on the end too early is in a race with that write. A reduction of at most 64
// bytes changes its destination at the end; a larger one does so when its source has been read. A
// thread has at most 3 groups that are not complete, and waits for the oldest one before it begins
// another.
//
// The agent does all of one thing at a time, and waits at a `gate` before it. All interleavings of
// other lanes with gates are explored, so steps in between may run ahead of them: docs/kernels.md,
// "Bulk copies".
//
// Marks. Memory marks each 4 bytes that a thread has written (sc_memory.hpp). A thread knows what
// it has written since its last proxy fence, and the fence takes these marks away. A copy that
// comes to a mark fails. But if the issuing thread has fenced behind all that it knows of (its last
// barrier, wait or acquire, and its own writes), the copy ignores marks.
#pragma once

#include <simt/check.hpp>
#include <simt/detail/agent.hpp>
#include <simt/detail/simulator.hpp>
#include <simt/memory.hpp>
#include <simt/ptx/access.hpp>
#include <simt/ptx/entries.hpp>

/// Tells the simulator that agents wait at gates.
extern "C" [[gnu::visibility("default"), gnu::used]] SIMT_UNTRACED inline void simt_gates_copies() {
}

namespace simt::ptx {

// A subject with bulk copies says first how many threads a block has: `bulk_threads`.

enum class bulk_kind : u32 { load, store, reduce };
inline constexpr u32 bulk_number_at = 27;  // a bit of bulk_copy::what
/// A copy. `what` packs the kind, whether the copy ends at an mbarrier, and a reduction's operation
/// and size of elements. Further fields: which marks are ignored, the thread's group, the thread,
/// the copy's number (once the agent has taken it), and the bytes.
struct bulk_copy {
  u64 what = 0, to = 0, from = 0, end = 0;

  SIMT_FN bulk_kind kind() const { return static_cast<bulk_kind>(what & 3); }
  SIMT_FN bool ends_at_mbarrier() const { return (what >> 2 & 1) != 0; }
  SIMT_FN bool is_of_words() const { return (what >> 3 & 1) != 0; }  // of 8 bytes
  /// The operation of a reduction on each element.
  SIMT_FN memory_kind operation() const { return static_cast<memory_kind>(what >> 4 & 15); }
  SIMT_FN bool ignores_marks_of_source() const { return (what >> 8 & 1) != 0; }
  SIMT_FN bool ignores_marks_of_target() const { return (what >> 9 & 1) != 0; }
  SIMT_FN bool ignores_marks_of_end() const { return (what >> 10 & 1) != 0; }
  SIMT_FN bool has_read() const { return (what >> 11 & 1) != 0; }
  SIMT_FN u32 group() const { return static_cast<u32>(what >> 12 & 3); }
  SIMT_FN u32 thread() const { return static_cast<u32>(what >> 16 & 0x7ff); }
  SIMT_FN u32 number() const { return static_cast<u32>(what >> bulk_number_at & 15); }
  SIMT_FN u32 bytes() const { return static_cast<u32>(what >> 32); }
};
inline constexpr u64 bulk_has_read = u64{1} << 11;

/// The word of a thread: for each of four groups, 6 bits with the copies that are not complete.
/// From bit 24 on, 6 bits for each group with the copies that have not read everything.
inline constexpr u32 bulk_groups = 4, bulk_group_bits = 6, bulk_unread = 24;

struct bulk_desk {
  u64 is_claimed;  // a thread writes a copy down, or has handed it over
  u64 is_posted;   // it has
  u64 views;       // where copy_view is said. Nothing is stored there.
  bulk_copy copy;
  u64 groups[bulk_threads];
};
inline constexpr u32 most_bulk_copies = 8;  // of a block at a time

SIMT_FN bulk_desk& the_bulk_desk() { return simt::detail::block_shared<bulk_desk, bulk_desk>(); }
SIMT_FN u64 bulk_groups_of(u32 thread) {
  return reinterpret_cast<u64>(&the_bulk_desk().groups[thread]);
}

SIMT_FN u32 bulk_thread() {
  using simt::detail::index_kind;
  return simt::detail::index<index_kind::thread_rank>() %
         simt::detail::index<index_kind::block_size>();
}

/// An access of a word of the desk.
SIMT_FN u64 at_desk(memory_kind what, u64& word, u64 operand, u64 compare = 0) {
  using namespace simt::detail;
  constexpr u32 in_order =
      pack_memory(memory_kind{}, 8, memory_order_relaxed, thread_scope_system) |
      of_desk << copy_number_at;
  return simt_hook_memory(in_order | static_cast<u32>(what), &word, operand, compare);
}
/// Says what a copy knows of memory (agent.hpp).
SIMT_FN u32 view_of_copy(simt::detail::copy_views what, u32 numbers = 0) {
  return static_cast<u32>(
      at_desk(memory_kind::copy_view, the_bulk_desk().views, static_cast<u64>(what), numbers));
}

/// An access that a copy makes.
template <class T>
SIMT_FN u64 access_of_copy(u32 copy, memory_kind what, thread_scope scope, memory_order order,
                           u64 at, u64 operand, u64 compare = 0) {
  const u32 packed = simt::detail::pack_memory(what, sizeof(T), order, scope) |
                     copy << simt::detail::copy_number_at;
  return simt_hook_memory(packed, pointer<T>(at), operand, compare);
}

template <class T>
SIMT_FN void take_mark_away(u64 at) {
  simt::detail::access<thread_scope_block>(memory_kind::proxy_fence, pointer<T>(at),
                                           memory_order_relaxed, 1);
}

// --- the threads ---

/// What a lane knows of its own copies and writes. Entries without a write are zeros, so that equal
/// lanes look equal.
class bulk_lane {
 public:
  /// Shared memory is [shared, shared + size).
  SIMT_FN bulk_lane(u64 shared, u64 size) : shared_(shared), size_(size) {}

  /// cp.async.bulk that ends at an mbarrier. `what`: the bits of bulk_copy::what that the
  /// instruction determines.
  SIMT_FN void to_mbarrier(u64 what, u64 to, u64 from, u32 bytes, u64 end) {
    hand_over(what | 4, to, from, bytes, end);
  }
  /// cp.async.bulk with groups of the thread.
  SIMT_FN void in_group(u64 what, u64 to, u64 from, u32 bytes) {
    const u32 bits = bulk_group_bits * open_;
    atom<memory_kind::add, u64, thread_scope_system, memory_order_relaxed>(
        bulk_groups_of(bulk_thread()), u64{1} << bits | u64{1} << (bits + bulk_unread));
    is_read_ = 0;
    is_uncommitted_ = 1;
    hand_over(what | static_cast<u64>(open_) << 12 | static_cast<u64>(bulk_thread()) << 16, to,
              from, bytes, 0);
  }
  SIMT_FN void commit() {
    open_ = (open_ + 1) % bulk_groups;
    is_uncommitted_ = 0;
    wait_until_over(u64{63} << bulk_group_bits * open_, 0);
  }
  /// Waits until all groups but the last `spared` ones are complete, or have read.
  SIMT_FN void wait_group(u32 spared) { wait_until_over(waited_groups(spared), 0); }
  SIMT_FN void wait_group_read(u32 spared) {
    wait_until_over(waited_groups(spared), bulk_unread);
    is_read_ |= static_cast<u32>(spared == 0) & (1 - is_uncommitted_);
  }
  /// Called when the thread ends.
  SIMT_FN void leave() const {
    if (is_read_ == 0) {
      const u64 now = load_strong<u64, thread_scope_system, memory_order_relaxed>(
          bulk_groups_of(bulk_thread()));
      simt::check(now >> bulk_unread == 0,
                  "the thread ends while its bulk copy may still read shared memory: wait for its "
                  "group first (cp.async.bulk.wait_group.read 0)");
    }
  }

  /// fence.proxy.async: `where` is 1 for shared memory, 2 for global memory, 3 for both.
  SIMT_FN void fence(u32 where) {
    if (is_full_ != 0) {
      simt::detail::misuse(
          "a thread writes to more places before a proxy fence than can be checked");
    }
    u32 left = 0;
    for (u32 k = 0; k < count_; ++k) {
      const written_range each = written_[k];
      const bool is_fenced = (where & side_of(each.at)) != 0;
      if (is_fenced) tell(each);
      left = keep_entry(written_, each, !is_fenced, left);
    }
    count_ = forget_entries(written_, left, count_);
    fenced_ |= where;
  }
  /// fence.mbarrier_init.
  SIMT_FN void fence_mbarriers() {
    u32 left = 0;
    for (u32 k = 0; k < count_; ++k) {
      const written_range each = written_[k];
      if (each.is_mbarrier != 0) tell(each);
      left = keep_entry(written_, each, each.is_mbarrier == 0, left);
    }
    count_ = forget_entries(written_, left, count_);
  }
  /// Notes that the lane writes there.
  SIMT_FN void wrote(u64 at, u32 size) { note(at, size, 0); }
  SIMT_FN void initialized(u64 at) { note(at, 8, 1); }
  /// Called when the lane may have learnt of writes of others.
  SIMT_FN void acquired() { fenced_ = 0; }

 private:
  static constexpr u32 most_written = 24;
  struct written_range {
    u64 at = 0;
    u32 size = 0;
    u32 is_mbarrier = 0;
  };

  SIMT_FN u32 side_of(u64 at) const { return 2 - static_cast<u32>(at - shared_ < size_); }
  SIMT_FN u64 is_fenced(u64 at) const { return static_cast<u64>((fenced_ & side_of(at)) != 0); }

  SIMT_FN void hand_over(u64 what, u64 to, u64 from, u32 bytes, u64 end) {
    if (((to | from | bytes) & 15) != 0)
      simt::detail::fail("addresses and bytes of a bulk copy are multiples of 16");
    const u64 marks = is_fenced(from) << 8 | is_fenced(to) << 9 | is_fenced(end) << 10;
    bulk_desk& desk = the_bulk_desk();
    // The lane whose turn it is hands over within the loop: under `stack`, it would wait behind the
    // loop for other lanes of its warp that wait for their turn.
    bool is_handed_over = false;
    while (!is_handed_over) {
      if (at_desk(memory_kind::compare_exchange, desk.is_claimed, 1, 0) == 0) {
        at_desk(memory_kind::store, desk.copy.what, what | marks | static_cast<u64>(bytes) << 32);
        at_desk(memory_kind::store, desk.copy.to, to);
        at_desk(memory_kind::store, desk.copy.from, from);
        at_desk(memory_kind::store, desk.copy.end, end);
        view_of_copy(simt::detail::copy_views::posted);
        at_desk(memory_kind::store, desk.is_posted, 1);
        is_handed_over = true;
      }
    }
  }
  SIMT_FN u64 waited_groups(u32 spared) const {
    u64 waited = (u64{1} << bulk_group_bits * bulk_groups) - 1;
    for (u32 k = 0; k <= spared && k < bulk_groups; ++k)
      waited &= ~(u64{63} << bulk_group_bits * ((open_ - k) % bulk_groups));
    return waited;
  }
  SIMT_FN static void wait_until_over(u64 waited, u32 first) {
    bool is_over = false;
    while (!is_over) {
      const u64 now = load_strong<u64, thread_scope_system, memory_order_acquire>(
          bulk_groups_of(bulk_thread()));
      is_over = (now >> first & waited) == 0;
    }
  }
  SIMT_FN void note(u64 at, u32 size, u32 is_mbarrier) {
    fenced_ &= ~side_of(at);
    const u64 begin = at & ~u64{3}, end = (at + size + 3) & ~u64{3};
    for (u32 k = 0; k < count_; ++k) {
      written_range& each = written_[k];
      if (each.is_mbarrier == is_mbarrier && begin <= each.at + each.size && each.at <= end) {
        const u64 last = end > each.at + each.size ? end : each.at + each.size;
        each.at = begin < each.at ? begin : each.at;
        each.size = static_cast<u32>(last - each.at);
        return;
      }
    }
    if (count_ == most_written) {
      is_full_ = 1;
    } else {
      written_[count_] = {begin, static_cast<u32>(end - begin), is_mbarrier};
      ++count_;
    }
  }
  SIMT_FN static void tell(const written_range& range) {
    if (range.is_mbarrier != 0) {
      for (u32 at = 0; at < range.size; at += 8) take_mark_away<u64>(range.at + at);
    } else {
      for (u32 at = 0; at < range.size; at += 4) take_mark_away<u32>(range.at + at);
    }
  }
  u64 shared_, size_;
  written_range written_[most_written] = {};
  u32 count_ = 0;
  u32 open_ = 0;            // group
  u32 fenced_ = 0;          // as of fence()
  u32 is_read_ = 1;         // all that its groups copy
  u32 is_uncommitted_ = 0;  // its last copy: no wait for groups waits for it
  u32 is_full_ = 0;
};

// --- the agent ---

inline constexpr u64 bulk_mark = u64{1} << 32;

SIMT_FN u32 bulk_source(const bulk_copy& copy, u64 at) {
  const u64 read = access_of_copy<u32>(copy.number(), memory_kind::async_load, thread_scope_block,
                                       memory_order_relaxed, at, 0);
  if ((read & bulk_mark) != 0 && !copy.ignores_marks_of_source()) {
    simt::detail::fail(
        "a bulk copy may miss what was stored there: no fence.proxy.async in between");
  }
  return static_cast<u32>(read);
}
SIMT_FN void refuse_bulk_target(bool is_marked) {
  if (is_marked) {
    simt::detail::fail(
        "a bulk copy may be overwritten by what was stored there before: no fence.proxy.async in "
        "between");
  }
}
SIMT_FN void write_bulk(const bulk_copy& copy, u64 at, u32 value) {
  const u64 old = access_of_copy<u32>(copy.number(), memory_kind::async_store, thread_scope_block,
                                      memory_order_relaxed, at, value);
  refuse_bulk_target((old & bulk_mark) != 0 && !copy.ignores_marks_of_target());
}

template <class T>
SIMT_FN void reduce_bulk(const bulk_copy& copy, u64 at, T value) {
  access_of_copy<T>(copy.number(), copy.operation(), thread_scope_device, memory_order_relaxed, at,
                    value);
  take_mark_away<T>(at);  // it belongs to the async proxy itself
}

/// A copy that the agent carries out.
struct taken_bulk_copy : bulk_copy {
  static constexpr u32 most_kept = 16;  // words
  u32 kept[most_kept] = {};             // of a reduction that keeps what it has read

  SIMT_FN bool keeps() const { return kind() == bulk_kind::reduce && bytes() <= 4 * most_kept; }
};

SIMT_FN void move_bulk(const bulk_copy& copy) {
  const u32 each = copy.is_of_words() ? 8 : 4;
  for (u32 at = 0; at < copy.bytes(); at += each) {
    const u32 low = bulk_source(copy, copy.from + at);
    if (copy.kind() != bulk_kind::reduce) {
      write_bulk(copy, copy.to + at, low);
    } else if (copy.is_of_words()) {
      const u64 high = bulk_source(copy, copy.from + at + 4);
      reduce_bulk<u64>(copy, copy.to + at, high << 32 | low);
    } else {
      reduce_bulk<u32>(copy, copy.to + at, low);
    }
  }
}
/// Writes the same values once more: readers could not rely on any of them before.
SIMT_FN void move_bulk_again(const bulk_copy& copy) {
  for (u32 at = 0; at < copy.bytes(); at += 4) {
    if (copy.kind() == bulk_kind::reduce) {
      access_of_copy<u32>(copy.number(), memory_kind::bit_or, thread_scope_device,
                          memory_order_relaxed, copy.to + at, 0);
    } else {
      const u64 same =
          access_of_copy<u32>(copy.number(), memory_kind::async_load, thread_scope_block,
                              memory_order_relaxed, copy.to + at, 0);
      write_bulk(copy, copy.to + at, static_cast<u32>(same));
    }
  }
}

SIMT_FN void count_bulk(const bulk_copy& copy, u32 first) {
  access_of_copy<u64>(copy.number(), memory_kind::add, thread_scope_system, memory_order_release,
                      bulk_groups_of(copy.thread()),
                      0 - (u64{1} << (first + bulk_group_bits * copy.group())));
}

SIMT_FN void keep_source(taken_bulk_copy& copy) {
  for (u32 at = 0; at < copy.bytes(); at += 4)
    copy.kept[at / 4] = bulk_source(copy, copy.from + at);
}
SIMT_FN void reduce_kept(const taken_bulk_copy& copy) {
  const u32 each = copy.is_of_words() ? 8 : 4;
  for (u32 at = 0; at < copy.bytes(); at += each) {
    const u64 low = copy.kept[at / 4];
    if (copy.is_of_words()) {
      reduce_bulk<u64>(copy, copy.to + at, static_cast<u64>(copy.kept[at / 4 + 1]) << 32 | low);
    } else {
      reduce_bulk<u32>(copy, copy.to + at, static_cast<u32>(low));
    }
  }
}

/// Does one thing of the copy. Its last step is the one that others wait for. Returns whether the
/// copy is complete.
SIMT_FN bool go_on_with(taken_bulk_copy& copy) {
  if (copy.ends_at_mbarrier()) {
    move_bulk(copy);
    const u64 begun = access_of_copy<u64>(copy.number(), memory_kind::async_load,
                                          thread_scope_block, memory_order_relaxed, copy.end, 0);
    if ((begun & bulk_mark) != 0 && !copy.ignores_marks_of_end()) {
      simt::detail::fail(
          "a bulk copy may miss that its mbarrier is initialized: no fence.proxy.async or "
          "fence.mbarrier_init in between");
    }
    // PTX ISA, "cp.async.bulk": the completion releases with the scope of the cluster.
    const u64 told = access_of_copy<u64>(
        copy.number(), memory_kind::mbarrier, thread_scope_cluster, memory_order_release, copy.end,
        simt::detail::pack_mbarrier_change(0, -static_cast<s32>(copy.bytes())));
    simt::detail::refuse_mbarrier_misuse(static_cast<u32>(told & 3));
    return true;
  }
  if (!copy.has_read()) {
    copy.keeps() ? keep_source(copy) : move_bulk(copy);
    copy.what |= bulk_has_read;
    count_bulk(copy, bulk_unread);
    return false;
  }
  copy.keeps() ? reduce_kept(copy) : move_bulk_again(copy);
  count_bulk(copy, 0);
  return true;
}

/// Other lanes may take any steps while the agent stands here.
SIMT_FN void gate() { (void)simt::detail::choose(2); }

/// The agent's program. It ends when all threads of the block have ended, and all copies are
/// complete.
SIMT_FN void carry_out_bulk_copies() {
  bulk_desk& desk = the_bulk_desk();
  taken_bulk_copy all[most_bulk_copies] = {};
  u32 count = 0;
  u32 numbers = 0;  // those in use, as bits
  bool is_over = false;
  while (!is_over) {
    u64 posted = 0;
    if (count == 0) {
      while (posted == 0) {
        posted = at_desk(memory_kind::load, desk.is_posted, 0, simt::detail::asks_for_the_end);
      }
    } else {
      gate();
      posted = at_desk(memory_kind::load, desk.is_posted, 0);
    }
    if (posted == 1) {
      if (count == most_bulk_copies)
        simt::detail::misuse("more than 8 bulk copies of a block at a time cannot be checked");
      const u32 number = view_of_copy(simt::detail::copy_views::taken, numbers);
      if (number == 0) {
        simt::detail::misuse(
            "threads do not know of each other's bulk copies, of which more than 14 cannot be "
            "checked");
      }
      numbers |= u32{1} << number;
      all[count].what = at_desk(memory_kind::load, desk.copy.what, 0) | static_cast<u64>(number)
                                                                            << bulk_number_at;
      all[count].to = at_desk(memory_kind::load, desk.copy.to, 0);
      all[count].from = at_desk(memory_kind::load, desk.copy.from, 0);
      all[count].end = at_desk(memory_kind::load, desk.copy.end, 0);
      ++count;
      at_desk(memory_kind::store, desk.is_posted, 0);
      at_desk(memory_kind::store, desk.is_claimed, 0);
    } else if (count != 0) {
      const u32 which = count > 1 ? simt::detail::choose(count) : 0;
      const u32 number = all[which].number();
      if (go_on_with(all[which])) {
        view_of_copy(simt::detail::copy_views::over, number);
        numbers &= ~(u32{1} << number);
        --count;
        for (u32 i = which; i < count; ++i) all[i] = all[i + 1];
        all[count] = taken_bulk_copy{};
      }
    } else {
      is_over = true;  // all_have_ended
    }
  }
}

}  // namespace simt::ptx

// These functions are found by the type of their argument, in the body of a subject (subject.hpp).
namespace simt::detail {

template <class T>
struct yes_it_copies_in_bulk {
  static constexpr bool value = true;
};
template <class T>
yes_it_copies_in_bulk<T> makes_copies(in_a_subject<T>, int);

template <class T>
SIMT_FN void carry_out_copies(in_a_subject<T>) {
  ptx::carry_out_bulk_copies();
}
template <class T>
SIMT_FN void leave_copies(in_a_subject<T>) {}

[[gnu::constructor]] SIMT_UNTRACED static inline void register_bulk_copies() {
  simt_register_copies();
}

}  // namespace simt::detail
