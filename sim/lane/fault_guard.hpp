// Turns a fault of device code (a stack overflow, a wild access that was not announced) into an
// error of the subject, instead of the end of the process.
#pragma once

#include <csetjmp>
#include <cstdint>

namespace simt {

/// Installs the signal handlers. While one is alive, guards need not ask the system, which helps
/// code that makes many of them.
class fault_handlers {
 public:
  fault_handlers();
  ~fault_handlers();
  fault_handlers(const fault_handlers&) = delete;
  fault_handlers& operator=(const fault_handlers&) = delete;
};

/// While one is alive, a SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGTRAP jumps to `back`, which its
/// owner has set with sigsetjmp. The signals stay unblocked.
class fault_guard {
 public:
  /// Makes the address accessible if it can, and returns whether it did. Then the instruction runs
  /// again. A signal handler calls this function.
  using opener = bool (*)(void* stack, std::uint64_t address);

  explicit fault_guard(sigjmp_buf& back, opener open = nullptr, void* stack = nullptr);
  ~fault_guard();
  fault_guard(const fault_guard&) = delete;
  fault_guard& operator=(const fault_guard&) = delete;

  /// The address that the last fault accessed.
  static std::uint64_t fault_address();
  /// The instruction that faulted; 0 on processors that are not known here.
  static std::uint64_t fault_instruction();
  /// Whether the last fault was a division by zero.
  static bool was_division();
  /// Whether the last fault was a trap instruction.
  static bool was_trap();
  /// Whether the last fault was a trap by which clang marks code that must not be reached
  /// (-fsanitize-trap).
  static bool was_unreachable_code();

 private:
  fault_handlers handlers_;
};

}  // namespace simt
