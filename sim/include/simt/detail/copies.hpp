// Asynchronous copies in the simulator: how lanes hand them to the agent of their block, and what
// that does. The agent is a lane of its own (grid_shape::copies), and this is its program.
//
// Models: each copy reads all of its source, and later writes all of its destination, each at any
// moment after its issue; copies in any order. A copy ends with what it writes. A bulk copy that
// reads or writes what the generic proxy wrote without a proxy fence fails.
// Does not model: the order of a copy's bytes, some of which may be written before others are read.
// Nor the end of a block whose shared memory a copy into another block still reads.
#pragma once

#include <cstddef>
#include <cstdint>

#include <simt/detail/simulator.hpp>

extern "C" {
/// Does nothing. A body that calls it makes copies, and its blocks have agents.
void simt_hook_copies() SIMT_CONVERGENT;
}

namespace simt::detail {

/// Of copies that are under way in a block; bytes of one copy; threads of a block that copy.
inline constexpr unsigned most_copies = 4, most_copied = 64, most_copiers = 32;

/// Code that names `now` says that some subject of the file makes copies. All functions of
/// async.hpp are templates, so that a file without a call of them says nothing.
template <class T>
struct copies_are_used {
  [[gnu::used, gnu::constructor]] SIMT_UNTRACED static void now() { simt_register_copies(); }
};

template <class T>
SIMT_FN void use_copies() {
  (void)&copies_are_used<T>::now;
  simt_hook_copies();
}

enum class copy_kind : std::uint32_t { one_lane, bulk_load, bulk_store };

/// What is to be copied: its kind, bytes, the thread of the block, and the thread's group.
constexpr std::uint64_t pack_copy(copy_kind kind, std::uint32_t bytes, std::uint32_t thread,
                                  std::uint32_t group) {
  return static_cast<std::uint64_t>(kind) | bytes << 8 | thread << 24 |
         static_cast<std::uint64_t>(group) << 32;
}

/// A word for each thread. From the lowest bit, each of four groups has 6 bits for the copies that
/// are not complete. From bit 24 on, each group has 6 bits for the copies that have not read
/// everything. The two highest bits say which group is open.
inline constexpr unsigned copy_groups = 4, group_bits = 6, unread_bits = 24, open_group = 62;
inline constexpr std::uint64_t all_groups = (std::uint64_t{1} << group_bits * copy_groups) - 1;

struct copy_desk {
  /// The copy that is handed over. The two lowest bits of its state: nobody is here; a lane has
  /// claimed it; it is complete. Above bit 8: how many threads of the block have ended.
  std::uint64_t state, end, what, to, from;
  std::uint64_t groups[2][most_copiers];  // of cp.async; of bulk stores
};
inline constexpr std::uint64_t copy_is_posted = 2, copy_state = 3, one_has_ended = 256;

SIMT_FN copy_desk& the_copy_desk() { return block_shared<copy_desk, copy_desk>(); }

SIMT_FN std::uint32_t thread_in_block() {
  const std::uint32_t thread = index<index_kind::thread_rank>() % index<index_kind::block_size>();
  if (thread >= most_copiers) misuse("asynchronous copies: at most 32 threads of a block");
  return thread;
}

template <std::size_t kind>
SIMT_FN std::uint64_t* own_groups(std::uint32_t thread) {
  return &the_copy_desk().groups[kind][thread];
}

SIMT_FN void hand_over(void* to, const void* from, std::uint64_t what, std::uint64_t* end) {
  auto* const state = &the_copy_desk().state;
  bool is_done = false;
  while (!is_done) {
    const std::uint64_t old =
        access<thread_scope_block>(memory_kind::copy_claim, state, memory_order::acquire,
                                   reinterpret_cast<std::uint64_t>(end), what);
    if ((old & copy_state) == 0) {
      access<thread_scope_block>(memory_kind::copy_post, state, memory_order::release,
                                 reinterpret_cast<std::uint64_t>(to),
                                 reinterpret_cast<std::uint64_t>(from));
      is_done = true;
    }
  }
}

/// The copy belongs to the thread's open group.
template <std::size_t kind>
SIMT_FN void hand_over_in_group(copy_kind what, void* to, const void* from, std::uint32_t bytes) {
  const std::uint32_t thread = thread_in_block();
  std::uint64_t* const groups = own_groups<kind>(thread);
  const std::uint64_t now =
      access<thread_scope_block>(memory_kind::load, groups, memory_order::relaxed, 0);
  const auto open = static_cast<std::uint32_t>(now >> open_group);
  access<thread_scope_block>(memory_kind::add, groups, memory_order::relaxed,
                             (std::uint64_t{1} | std::uint64_t{1} << unread_bits)
                                 << group_bits * open);
  hand_over(to, from, pack_copy(what, bytes, thread, open), nullptr);
}

template <std::size_t kind>
SIMT_FN void commit_copies() {
  std::uint64_t* const groups = own_groups<kind>(thread_in_block());
  const std::uint64_t old = access<thread_scope_block>(
      memory_kind::add, groups, memory_order::relaxed, std::uint64_t{1} << open_group);
  const auto next = static_cast<unsigned>(((old >> open_group) + 1) % copy_groups);
  const std::uint64_t both = (std::uint64_t{63} | std::uint64_t{63} << unread_bits);
  if ((old & both << group_bits * next) != 0) {
    misuse("asynchronous copies: more than 3 groups of a thread are not complete");
  }
}

/// Waits for all groups but the last `groups` and the open one. `first`: of which bits.
template <std::size_t kind, unsigned groups>
SIMT_FN void wait_for_copies(unsigned first) {
  static_assert(groups < copy_groups - 1, "the simulator follows 3 groups of a thread");
  std::uint64_t* const own = own_groups<kind>(thread_in_block());
  bool is_over = false;
  while (!is_over) {
    const std::uint64_t now =
        access<thread_scope_block>(memory_kind::load, own, memory_order::acquire, 0);
    const auto open = static_cast<unsigned>(now >> open_group);
    std::uint64_t waited = all_groups;
    for (unsigned spared = 0; spared <= groups; ++spared) {
      waited &= ~(std::uint64_t{63} << group_bits * ((open - spared) % copy_groups));
    }
    is_over = (now >> first & waited) == 0;
  }
}

SIMT_FN void refuse_bulk(const void* to, const void* from, unsigned bytes) {
  const auto all = reinterpret_cast<std::uint64_t>(to) | reinterpret_cast<std::uint64_t>(from);
  if (((all | bytes) & 15U) != 0) fail("addresses and bytes of a bulk copy are multiples of 16");
  if (bytes > most_copied) misuse("asynchronous copies: at most 64 bytes each");
}

template <unsigned size>
SIMT_FN void cp_async(void* shared, const void* global) {
  hand_over_in_group<0>(copy_kind::one_lane, shared, global, size);
}
SIMT_FN void cp_async_commit_group() { commit_copies<0>(); }
template <unsigned groups>
SIMT_FN void cp_async_wait_group() {
  wait_for_copies<0, groups>(0);
}

SIMT_FN void cp_async_bulk_load(void* shared, const void* global, unsigned bytes,
                                std::uint64_t* end) {
  refuse_bulk(shared, global, bytes);
  hand_over(shared, global, pack_copy(copy_kind::bulk_load, bytes, 0, 0), end);
}
SIMT_FN void cp_async_bulk_to_cluster(void* peer, const void* shared, unsigned bytes,
                                      std::uint64_t* end) {
  cp_async_bulk_load(peer, shared, bytes, end);
}
SIMT_FN void cp_async_bulk_store(void* global, const void* shared, unsigned bytes) {
  refuse_bulk(global, shared, bytes);
  hand_over_in_group<1>(copy_kind::bulk_store, global, shared, bytes);
}
SIMT_FN void cp_async_bulk_commit_group() { commit_copies<1>(); }
template <unsigned groups>
SIMT_FN void cp_async_bulk_wait_group() {
  wait_for_copies<1, groups>(0);
}
template <unsigned groups>
SIMT_FN void cp_async_bulk_wait_group_read() {
  wait_for_copies<1, groups>(unread_bits);
}

SIMT_FN void fence_proxy_async() {
  access<thread_scope_block>(memory_kind::proxy_fence, &the_copy_desk().state,
                             memory_order::relaxed, 0);
}

// --- the agent ---

struct agents_copy {
  std::uint64_t end = 0, what = 0, to = 0, from = 0;
  std::uint32_t bytes[most_copied / 4] = {};
  bool has_read = false;

  SIMT_FN copy_kind kind() const { return static_cast<copy_kind>(what & 0xff); }
  SIMT_FN unsigned size() const { return static_cast<unsigned>(what >> 8 & 0xffff); }
};

inline constexpr std::uint64_t is_unfenced = std::uint64_t{1} << 32;

/// One is over: it has read, or it is complete.
SIMT_FN void count_down(const agents_copy& copy, unsigned first) {
  const std::size_t kind = copy.kind() == copy_kind::one_lane ? 0 : 1;
  std::uint64_t* const groups =
      &the_copy_desk().groups[kind][static_cast<unsigned>(copy.what >> 24 & 0xff)];
  const auto group = static_cast<unsigned>(copy.what >> 32);
  access<thread_scope_block>(memory_kind::add, groups, memory_order::release,
                             0 - (std::uint64_t{1} << (first + group_bits * group)));
}

SIMT_FN void read_source(agents_copy& copy) {
  const auto* const from = reinterpret_cast<std::uint32_t*>(copy.from);
  for (unsigned i = 0; i < copy.size() / 4; ++i) {
    if (copy.kind() == copy_kind::one_lane) {
      copy.bytes[i] = from[i];
    } else {
      const std::uint64_t read = access<thread_scope_block>(
          memory_kind::async_load, const_cast<std::uint32_t*>(from + i), memory_order::relaxed, 0);
      if ((read & is_unfenced) != 0) {
        fail("a bulk copy may miss what was stored there: no fence_proxy_async() in between");
      }
      copy.bytes[i] = static_cast<std::uint32_t>(read);
    }
  }
  copy.has_read = true;
  if (copy.kind() != copy_kind::bulk_load) count_down(copy, unread_bits);
}

SIMT_FN void write_destination(const agents_copy& copy) {
  auto* const to = reinterpret_cast<std::uint32_t*>(copy.to);
  for (unsigned i = 0; i < copy.size() / 4; ++i) {
    if (copy.kind() == copy_kind::one_lane) {
      to[i] = copy.bytes[i];
    } else {
      const std::uint64_t old = access<thread_scope_block>(memory_kind::async_store, to + i,
                                                           memory_order::relaxed, copy.bytes[i]);
      if ((old & is_unfenced) != 0) {
        fail(
            "a bulk copy may be overwritten by what was stored there before: no "
            "fence_proxy_async() in between");
      }
    }
  }
  if (copy.kind() != copy_kind::bulk_load) return count_down(copy, 0);
  auto* const end = reinterpret_cast<std::uint64_t*>(copy.end);
  const std::uint64_t begun =
      access<thread_scope_block>(memory_kind::async_load, end, memory_order::relaxed, 0);
  if ((begun & is_unfenced) != 0) {
    fail(
        "a bulk copy may miss that its mbarrier is initialized: no fence_proxy_async() in "
        "between");
  }
  // PTX ISA, "cp.async.bulk": the completion releases with the scope of the cluster.
  mbarrier_change_word<thread_scope_cluster>(end, {0, 0, -static_cast<std::int32_t>(copy.size())},
                                             memory_order::release);
}

/// Which of `count` things the agent does next.
SIMT_FN unsigned any_of(unsigned count) { return count > 1 ? simt_hook_choose(count) : 0; }

/// Ends when all threads of the block have, and all copies are complete.
SIMT_FN void carry_out_copies() {
  copy_desk& desk = the_copy_desk();
  const std::uint64_t threads = index<index_kind::block_size>();
  agents_copy all[most_copies] = {};
  unsigned count = 0;
  bool is_over = false;
  while (!is_over) {
    const std::uint64_t state =
        access<thread_scope_block>(memory_kind::load, &desk.state, memory_order::acquire, 0);
    if ((state & copy_state) == copy_is_posted) {
      if (count == most_copies) misuse("asynchronous copies: more than 4 of a block at a time");
      all[count] = agents_copy{};
      all[count].end = desk.end;
      all[count].what = desk.what;
      all[count].to = desk.to;
      all[count].from = desk.from;
      ++count;
      access<thread_scope_block>(memory_kind::bit_and, &desk.state, memory_order::release,
                                 ~copy_state);
    } else if (count != 0) {
      const unsigned which = any_of(count);
      if (!all[which].has_read) {
        read_source(all[which]);
      } else {
        write_destination(all[which]);
        --count;
        for (unsigned i = which; i < count; ++i) all[i] = all[i + 1];
        all[count] = agents_copy{};
      }
    } else {
      is_over = state / one_has_ended == threads;
    }
  }
}

// --- in the body of a subject: found by the type of its argument (subject.hpp) ---

template <class T>
struct yes_it_copies {
  static constexpr bool value = true;
};
template <class T>
yes_it_copies<T> makes_copies(in_a_subject<T>, int);

template <class T>
SIMT_FN void carry_out_copies(in_a_subject<T>) {
  carry_out_copies();
}
/// The thread has ended, of a block with an agent. Its block's shared memory may end with it, so
/// its bulk stores must have read theirs.
template <class T>
SIMT_FN void leave_copies(in_a_subject<T>) {
  const std::uint32_t thread = index<index_kind::thread_rank>() % index<index_kind::block_size>();
  if (thread < most_copiers) {
    const std::uint64_t own = access<thread_scope_block>(memory_kind::load, own_groups<1>(thread),
                                                         memory_order::relaxed, 0);
    if ((own >> unread_bits & all_groups) != 0) {
      fail(
          "the thread ends while its bulk store may still read shared memory: commit it to a "
          "group, "
          "and wait for the group (cp_async_bulk_wait_group_read<0>)");
    }
  }
  access<thread_scope_block>(memory_kind::add, &the_copy_desk().state, memory_order::release,
                             one_has_ended);
}

}  // namespace simt::detail
