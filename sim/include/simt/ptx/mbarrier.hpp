// PTX's mbarriers, which are those of the API, by their addresses.
#pragma once

#include <simt/check.hpp>
#include <simt/mbarrier.hpp>
#include <simt/ptx/access.hpp>

namespace simt::ptx {

SIMT_FN void mbarrier_init(u64 address, u32 count) {
  simt::mbarrier_init(*pointer<simt::mbarrier>(address), count);
}
SIMT_FN void mbarrier_inval(u64 address) {
  simt::mbarrier_inval(*pointer<simt::mbarrier>(address));
}

/// Applies arrivals, drops and bytes at once. Returns the phase before them.
template <thread_scope scope, memory_order order>
SIMT_FN u64 mbarrier_change(u64 address, u32 arrivals, u32 drops, u32 bytes) {
  return simt::detail::mbarrier_change_word<scope>(
      pointer<u64>(address), {arrivals, drops, static_cast<s32>(bytes)}, order);
}
/// Applies arrivals, drops and bytes at once. Returns the whole state before them, so lanes
/// remember in which order they arrived.
template <thread_scope scope, memory_order order>
SIMT_FN u64 mbarrier_change_counted(u64 address, u32 arrivals, u32 drops, u32 bytes) {
  return simt::detail::mbarrier_change_counted<scope>(
      pointer<u64>(address), {arrivals, drops, static_cast<s32>(bytes)}, order);
}
/// An arrival with .noComplete, which must not end the phase.
template <thread_scope scope, memory_order order>
SIMT_FN u64 mbarrier_change_within_phase(u64 address, u32 arrivals, u32 drops) {
  const u64 old = mbarrier_change_counted<scope, order>(address, arrivals, drops, 0);
  simt::check((simt::detail::mbarrier_pending_arrivals(old) != arrivals) |
                  (simt::detail::mbarrier_pending_bytes(old) != 0),
              "an arrival with .noComplete completes the phase of its mbarrier");
  return old;
}

template <thread_scope scope, memory_order order>
SIMT_FN bool mbarrier_test_wait(u64 address, u64 state) {
  return simt::mbarrier_test_wait<scope>(*pointer<simt::mbarrier>(address), state, order);
}
template <thread_scope scope, memory_order order>
SIMT_FN bool mbarrier_test_wait_parity(u64 address, u32 parity) {
  return simt::mbarrier_test_wait_parity<scope>(*pointer<simt::mbarrier>(address), parity, order);
}

/// The bits of a state that tell waits which phase they wait for.
SIMT_FN constexpr u64 mbarrier_phase_of(u64 state) {
  return state & simt::detail::mbarrier_phase_bits;
}
/// How many arrivals the phase still waited for, in the state that an arrival returned.
SIMT_FN constexpr u32 mbarrier_pending_count(u64 state) {
  return simt::detail::mbarrier_pending_arrivals(state);
}

}  // namespace simt::ptx
