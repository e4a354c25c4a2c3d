#include "sim/lane/fault_guard.hpp"

#include <csignal>
#include <cstddef>

#include <ucontext.h>

namespace simt {
namespace {

// A signal handler has no other way to know.
sigjmp_buf* volatile jump_to = nullptr;
volatile std::uint64_t last_address = 0;
volatile std::uint64_t last_instruction = 0;
volatile int last_signal = 0;

int alive = 0;  // fault_handlers
struct sigaction previous_segv {};
struct sigaction previous_bus {};
struct sigaction previous_fpe {};
struct sigaction previous_ill {};

void put_back() {
  sigaction(SIGSEGV, &previous_segv, nullptr);
  sigaction(SIGBUS, &previous_bus, nullptr);
  sigaction(SIGFPE, &previous_fpe, nullptr);
  sigaction(SIGILL, &previous_ill, nullptr);
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
  if (jump_to == nullptr) {  // none of ours: the instruction faults again
    put_back();
    return;
  }
  last_signal = signal;
  last_address = reinterpret_cast<std::uint64_t>(info->si_addr);
  last_instruction = instruction_in(context);
  siglongjmp(*jump_to, 1);
}

}  // namespace

fault_handlers::fault_handlers() {
  if (alive++ > 0) return;
  // The lane's own stack may be what is exhausted: handle faults on another one.
  static std::byte stack[64 * 1024];
  stack_t alternate{};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  sigaltstack(&alternate, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, &previous_segv);
  sigaction(SIGBUS, &action, &previous_bus);
  sigaction(SIGFPE, &action, &previous_fpe);
  sigaction(SIGILL, &action, &previous_ill);
}

fault_handlers::~fault_handlers() {
  if (--alive > 0) return;
  put_back();
}

fault_guard::fault_guard(sigjmp_buf& back) { jump_to = &back; }

fault_guard::~fault_guard() { jump_to = nullptr; }

std::uint64_t fault_guard::fault_address() { return last_address; }

std::uint64_t fault_guard::fault_instruction() { return last_instruction; }

bool fault_guard::was_trap() { return last_signal == SIGFPE || last_signal == SIGILL; }

}  // namespace simt
