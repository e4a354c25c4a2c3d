// Turns a fault of device code (a stack overflow, a wild access that was not announced) into an
// error of the subject, instead of the end of the process.
#pragma once

#include <csetjmp>
#include <cstdint>

namespace simt {

/// While one is alive, guards need not ask the system: for whoever makes many of them.
class fault_handlers {
 public:
  fault_handlers();
  ~fault_handlers();
  fault_handlers(const fault_handlers&) = delete;
  fault_handlers& operator=(const fault_handlers&) = delete;
};

/// While one is alive, a SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGTRAP jumps to `back` (set with
/// sigsetjmp by its owner; the signals stay unblocked).
class fault_guard {
 public:
  /// Says whether what was accessed is accessible now: then the instruction is carried out again.
  /// Called by a signal handler.
  using opener = bool (*)(void* stack, std::uint64_t address);

  explicit fault_guard(sigjmp_buf& back, opener open = nullptr, void* stack = nullptr);
  ~fault_guard();
  fault_guard(const fault_guard&) = delete;
  fault_guard& operator=(const fault_guard&) = delete;

  /// The address of the last fault: what was accessed.
  static std::uint64_t fault_address();
  /// The instruction that faulted; 0 where the machine is not known here.
  static std::uint64_t fault_instruction();
  /// Whether it was a division by zero.
  static bool was_division();
  /// Whether it was a trap instruction.
  static bool was_trap();
  /// Whether that was one where clang marks code that must not be reached (-fsanitize-trap).
  static bool was_unreachable_code();

 private:
  fault_handlers handlers_;
};

}  // namespace simt
