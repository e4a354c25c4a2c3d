// Faults come back to whoever guards against them.
#include <doctest/doctest.h>

#include <csignal>
#include <cstdint>

#include <sys/mman.h>

#include "sim/lane/fault_guard.hpp"

namespace {

std::uintptr_t handler_of(int signal) {
  struct sigaction now {};
  sigaction(signal, nullptr, &now);
  return reinterpret_cast<std::uintptr_t>(now.sa_sigaction);
}

}  // namespace

TEST_CASE("a wild access comes back with its address and its instruction") {
  const long page = 4096;
  void* const none = mmap(nullptr, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(none != MAP_FAILED);
  static int faults = 0;           // (A jump may forget local variables.)
  for (faults = 0; faults < 2;) {  // signals are let through again
    sigjmp_buf back;
    const simt::fault_guard guard(back);
    if (sigsetjmp(back, 1) == 0) {
      auto* const there = static_cast<volatile char*>(none) + 12;
      *there = 1;
      FAIL("the page can be written");
    }
    ++faults;
    CHECK(simt::fault_guard::fault_address() == reinterpret_cast<std::uint64_t>(none) + 12);
    CHECK_FALSE(simt::fault_guard::was_trap());
#if defined(__x86_64__) || defined(__aarch64__)
    CHECK(simt::fault_guard::fault_instruction() != 0);
#endif
  }
  CHECK(faults == 2);
  munmap(none, page);
}

TEST_CASE("a trap is told from a wild access") {
  sigjmp_buf back;
  const simt::fault_guard guard(back);
  if (sigsetjmp(back, 1) == 0) {
    raise(SIGFPE);
    FAIL("nobody has noticed");
  }
  CHECK(simt::fault_guard::was_division());
  CHECK_FALSE(simt::fault_guard::was_trap());
}

TEST_CASE("a trap of the author's is told from one where code is not to be reached") {
  sigjmp_buf back;
  const simt::fault_guard guard(back);
  if (sigsetjmp(back, 1) == 0) __builtin_trap();
  CHECK(simt::fault_guard::was_trap());
  CHECK_FALSE(simt::fault_guard::was_unreachable_code());
#if defined(__x86_64__)
  if (sigsetjmp(back, 1) == 0) __asm__ volatile(".byte 0x67, 0x0f, 0xb9, 0x40, 0x01");
  CHECK(simt::fault_guard::was_unreachable_code());
#endif
}

TEST_CASE("handlers are there while somebody needs them, and no longer") {
  const auto before = handler_of(SIGSEGV);
  {
    const simt::fault_handlers outer;
    const auto ours = handler_of(SIGSEGV);
    CHECK(ours != before);
    {
      sigjmp_buf back;
      const simt::fault_guard guard(back);
      CHECK(handler_of(SIGSEGV) == ours);
    }
    CHECK(handler_of(SIGSEGV) == ours);
  }
  CHECK(handler_of(SIGSEGV) == before);
}
