// mbarriers: barriers in block-shared memory that count arrivals and bytes, and whose phases follow
// one another (PTX ISA, "mbarrier"). Names are those of PTX and of cuda::ptx.
//
// A phase is complete when as many arrivals have come as the mbarrier expects, and all bytes that
// were expected have been transferred. Then the next phase begins at once. A wait asks for the end
// of a phase: by the token of an arrival in it, or by its parity (the first phase has parity 0).
// On a GPU only the parity matters: whoever waits two phases late waits for another phase.
//
// Misuse ends the run as a failed assertion does. It is misuse if the mbarrier is not initialized,
// a count is out of range, or more arrive than are pending. So are more than 2^20 - 1 bytes, and a
// wait by a token that is two phases old or three. A GPU traps, or goes on with a wrong count.
#pragma once

#include <cstdint>

#include <simt/check.hpp>
#include <simt/detail/backend.hpp>
#include <simt/detail/mbarrier_word.hpp>

namespace simt {

/// In block-shared memory; its content is opaque.
struct alignas(8) mbarrier {
  std::uint64_t word;
};

/// What an arrival returns: it stands for the phase in which the lane arrived.
using mbarrier_token = std::uint64_t;

/// Begins with phase 0, of which `count` arrivals are expected (1 .. 2^20 - 1), as of all others. A
/// plain write: lanes that use the mbarrier must be told by a barrier or a fence.
SIMT_FN void mbarrier_init(mbarrier& b, unsigned count) { detail::mbarrier_init(&b.word, count); }

/// The memory may be used for something else; the mbarrier may be initialized again.
SIMT_FN void mbarrier_inval(mbarrier& b) { detail::mbarrier_inval(&b.word); }

/// `count` arrivals come.
template <thread_scope scope = thread_scope_block>
SIMT_FN mbarrier_token mbarrier_arrive(mbarrier& b, unsigned count = 1,
                                       memory_order order = memory_order_release) {
  return detail::mbarrier_change_word<scope>(&b.word, {count, 0, 0}, order);
}

/// One arrival comes, and phases from the next one on expect one less.
template <thread_scope scope = thread_scope_block>
SIMT_FN mbarrier_token mbarrier_arrive_drop(mbarrier& b,
                                            memory_order order = memory_order_release) {
  return detail::mbarrier_change_word<scope>(&b.word, {1, 1, 0}, order);
}

/// The phase is complete only when `bytes` more have been transferred.
template <thread_scope scope = thread_scope_block>
SIMT_FN void mbarrier_expect_tx(mbarrier& b, unsigned bytes) {
  detail::mbarrier_change_word<scope>(&b.word, {0, 0, static_cast<std::int32_t>(bytes)},
                                      memory_order_relaxed);
}

/// Both at once: first the bytes, then the arrival.
template <thread_scope scope = thread_scope_block>
SIMT_FN mbarrier_token mbarrier_arrive_expect_tx(mbarrier& b, unsigned bytes,
                                                 memory_order order = memory_order_release) {
  return detail::mbarrier_change_word<scope>(&b.word, {1, 0, static_cast<std::int32_t>(bytes)},
                                             order);
}

/// `bytes` have been transferred: what an asynchronous copy does at its end.
template <thread_scope scope = thread_scope_block>
SIMT_FN void mbarrier_complete_tx(mbarrier& b, unsigned bytes) {
  detail::mbarrier_change_word<scope>(&b.word, {0, 0, -static_cast<std::int32_t>(bytes)},
                                      memory_order_relaxed);
}

/// Whether the token's phase is complete.
template <thread_scope scope = thread_scope_block>
SIMT_FN bool mbarrier_test_wait(mbarrier& b, mbarrier_token token,
                                memory_order order = memory_order_acquire) {
  return detail::mbarrier_test<scope>(&b.word, token, order);
}

/// Whether the phase of that parity is complete: the current one, or the one before it.
template <thread_scope scope = thread_scope_block>
SIMT_FN bool mbarrier_test_wait_parity(mbarrier& b, unsigned parity,
                                       memory_order order = memory_order_acquire) {
  return detail::mbarrier_test_parity<scope>(&b.word, parity, order);
}

/// Like mbarrier_test_wait; a GPU may let the thread sleep for a while before it says no.
template <thread_scope scope = thread_scope_block>
SIMT_FN bool mbarrier_try_wait(mbarrier& b, mbarrier_token token,
                               memory_order order = memory_order_acquire) {
  return detail::mbarrier_try<scope>(&b.word, token, order);
}
template <thread_scope scope = thread_scope_block>
SIMT_FN bool mbarrier_try_wait_parity(mbarrier& b, unsigned parity,
                                      memory_order order = memory_order_acquire) {
  return detail::mbarrier_try_parity<scope>(&b.word, parity, order);
}

}  // namespace simt
