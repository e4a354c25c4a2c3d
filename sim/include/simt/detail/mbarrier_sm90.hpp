// mbarriers by the instructions of sm_90, for cuda.hpp.
#pragma once

#include <cstdint>

#include <simt/detail/mbarrier_word.hpp>
#include <simt/detail/qualifiers.hpp>
#include <simt/detail/types.hpp>

namespace simt::detail {

SIMT_FN unsigned shared_address_of(std::uint64_t* word) {
  return static_cast<unsigned>(__cvta_generic_to_shared(word));
}

SIMT_FN void mbarrier_init(std::uint64_t* word, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
               :
               : "r"(shared_address_of(word)), "r"(count)
               : "memory");
}
SIMT_FN void mbarrier_inval(std::uint64_t* word) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" : : "r"(shared_address_of(word)) : "memory");
}

/// For memory of one block, scopes that are wider than a cluster mean the same as a cluster.
#define SIMT_DETAIL_MBARRIER(INSTRUCTION, TAIL, OUTPUTS, ...)                                    \
  do {                                                                                           \
    if constexpr (scope == thread_scope_block || scope == thread_scope_thread)                   \
      asm volatile(INSTRUCTION ".cta.shared::cta.b64 " TAIL:OUTPUTS:__VA_ARGS__ : "memory");     \
    else                                                                                         \
      asm volatile(INSTRUCTION ".cluster.shared::cta.b64 " TAIL:OUTPUTS:__VA_ARGS__ : "memory"); \
  } while (false)
#define SIMT_DETAIL_NO_OUTPUT

/// The kind of change and the order are constants once all is inlined.
template <thread_scope scope>
SIMT_FN std::uint64_t mbarrier_change_word(std::uint64_t* word, mbarrier_change by,
                                           memory_order order) {
  const unsigned at = shared_address_of(word);
  const bool is_relaxed = order == memory_order::relaxed;
  std::uint64_t state = 0;
  if (by.arrivals == 0 && by.bytes < 0) {
    SIMT_DETAIL_MBARRIER("mbarrier.complete_tx.relaxed", "[%0], %1;", SIMT_DETAIL_NO_OUTPUT,
                         "r"(at), "r"(-by.bytes));
  } else if (by.arrivals == 0) {
    SIMT_DETAIL_MBARRIER("mbarrier.expect_tx.relaxed", "[%0], %1;", SIMT_DETAIL_NO_OUTPUT, "r"(at),
                         "r"(by.bytes));
  } else if (by.drops != 0) {
    if (is_relaxed)
      SIMT_DETAIL_MBARRIER("mbarrier.arrive_drop.relaxed", "%0, [%1];", "=l"(state), "r"(at));
    else
      SIMT_DETAIL_MBARRIER("mbarrier.arrive_drop.release", "%0, [%1];", "=l"(state), "r"(at));
  } else if (by.bytes != 0) {
    if (is_relaxed)
      SIMT_DETAIL_MBARRIER("mbarrier.arrive.expect_tx.relaxed", "%0, [%1], %2;", "=l"(state),
                           "r"(at), "r"(by.bytes));
    else
      SIMT_DETAIL_MBARRIER("mbarrier.arrive.expect_tx.release", "%0, [%1], %2;", "=l"(state),
                           "r"(at), "r"(by.bytes));
  } else {
    if (is_relaxed)
      SIMT_DETAIL_MBARRIER("mbarrier.arrive.relaxed", "%0, [%1], %2;", "=l"(state), "r"(at),
                           "r"(by.arrivals));
    else
      SIMT_DETAIL_MBARRIER("mbarrier.arrive.release", "%0, [%1], %2;", "=l"(state), "r"(at),
                           "r"(by.arrivals));
  }
  return state;
}

#define SIMT_DETAIL_MBARRIER_WAIT(NAME, INSTRUCTION, TYPE, REGISTER)                    \
  template <thread_scope scope>                                                         \
  SIMT_FN bool NAME(std::uint64_t* word, TYPE phase, memory_order order) {              \
    const unsigned at = shared_address_of(word);                                        \
    unsigned done = 0;                                                                  \
    if (order == memory_order::relaxed)                                                 \
      SIMT_DETAIL_MBARRIER("{ .reg .pred p; " INSTRUCTION ".relaxed",                   \
                           "p, [%1], %2; selp.u32 %0, 1, 0, p; }", "=r"(done), "r"(at), \
                           REGISTER(phase));                                            \
    else                                                                                \
      SIMT_DETAIL_MBARRIER("{ .reg .pred p; " INSTRUCTION ".acquire",                   \
                           "p, [%1], %2; selp.u32 %0, 1, 0, p; }", "=r"(done), "r"(at), \
                           REGISTER(phase));                                            \
    return done != 0;                                                                   \
  }                                                                                     \
  static_assert(true)

SIMT_DETAIL_MBARRIER_WAIT(mbarrier_test, "mbarrier.test_wait", std::uint64_t, "l");
SIMT_DETAIL_MBARRIER_WAIT(mbarrier_test_parity, "mbarrier.test_wait.parity", unsigned, "r");
SIMT_DETAIL_MBARRIER_WAIT(mbarrier_try, "mbarrier.try_wait", std::uint64_t, "l");
SIMT_DETAIL_MBARRIER_WAIT(mbarrier_try_parity, "mbarrier.try_wait.parity", unsigned, "r");

#undef SIMT_DETAIL_MBARRIER_WAIT
#undef SIMT_DETAIL_MBARRIER
#undef SIMT_DETAIL_NO_OUTPUT

}  // namespace simt::detail
