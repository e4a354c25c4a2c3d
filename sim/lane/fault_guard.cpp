// Catches signals of faulting device code, and jumps back to the guard that is alive.
#include "sim/lane/fault_guard.hpp"

#include <array>
#include <csignal>
#include <cstddef>
#include <cstring>

#include <ucontext.h>

namespace simt {
namespace {

// Global, since a signal handler cannot get them in any other way.
sigjmp_buf* volatile jump_to = nullptr;
fault_guard::opener volatile open_stack = nullptr;
void* volatile stack_to_open = nullptr;
volatile std::uint64_t last_address = 0;
volatile std::uint64_t last_instruction = 0;
volatile int last_signal = 0;

int alive = 0;  // the number of fault_handlers
constexpr std::array guarded{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
std::array<struct sigaction, guarded.size()> previous{};

void put_back() {
  for (std::size_t i = 0; i < guarded.size(); ++i) sigaction(guarded[i], &previous[i], nullptr);
}

std::uint64_t instruction_in(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return machine.pc;
#else
  (void)machine;
  return 0;
#endif
}

void on_fault(int signal, siginfo_t* info, void* context) {
  if (jump_to == nullptr) {  // not our fault: the instruction faults again, with the old handlers
    put_back();
    return;
  }
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  if (signal == SIGSEGV && open_stack != nullptr && open_stack(stack_to_open, address)) return;
  last_signal = signal;
  last_address = address;
  last_instruction = instruction_in(context);
  siglongjmp(*jump_to, 1);
}

/// Makes this thread handle faults on another stack, since the lane's own stack may be exhausted.
/// One stack serves all threads, because only one of them runs a lane at a time.
bool take_other_stack() {
  static std::byte stack[64 * 1024];
  stack_t alternate{};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  return sigaltstack(&alternate, nullptr) == 0;
}

}  // namespace

fault_handlers::fault_handlers() {
  [[maybe_unused]] thread_local const bool has_other_stack = take_other_stack();
  if (alive++ > 0) return;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (std::size_t i = 0; i < guarded.size(); ++i) sigaction(guarded[i], &action, &previous[i]);
}

fault_handlers::~fault_handlers() {
  if (--alive > 0) return;
  put_back();
}

fault_guard::fault_guard(sigjmp_buf& back, opener open, void* stack) {
  open_stack = open;
  stack_to_open = stack;
  jump_to = &back;
}

fault_guard::~fault_guard() { jump_to = nullptr; }

std::uint64_t fault_guard::fault_address() { return last_address; }

std::uint64_t fault_guard::fault_instruction() { return last_instruction; }

bool fault_guard::was_division() { return last_signal == SIGFPE; }

bool fault_guard::was_trap() { return last_signal == SIGILL || last_signal == SIGTRAP; }

// What llvm.ubsantrap becomes: `ud1 KIND(%eax), %eax`, or `brk #0x5500 + KIND`.
bool fault_guard::was_unreachable_code() {
  if (!was_trap() || last_instruction == 0) return false;
  std::array<std::uint8_t, 4> code{};
  std::memcpy(code.data(), reinterpret_cast<const void*>(std::uint64_t{last_instruction}),
              code.size());
#if defined(__x86_64__)
  return code == std::array<std::uint8_t, 4>{0x67, 0x0f, 0xb9, 0x40};
#elif defined(__aarch64__)
  std::uint32_t word = 0;
  std::memcpy(&word, code.data(), sizeof word);
  return (word & 0xffffe01f) == 0xd42aa000;
#else
  return false;
#endif
}

}  // namespace simt
