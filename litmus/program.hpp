// A litmus test as a value: threads with their places, instructions, initial values, condition.
// The dialect is in docs/litmus.md.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "litmus/condition.hpp"

namespace litmus {

/// Who an operation is meant for, from narrow to wide; `none`: it is weak, or has no scope.
enum class scope : std::uint8_t { none, cta, cluster, gpu, sys };

enum class memory_order : std::uint8_t { weak, relaxed, acquire, release, acq_rel, sc };

enum class opcode : std::uint8_t {
  move,        // destination := a
  arithmetic,  // destination := a operation b
  load,
  store,  // a
  atom,   // destination := old; location := old operation a
  red,    // the same without a destination
  fence,
  branch,   // to `target` if a comparison b
  jump,     // to `target`
  barrier,  // waits
  arrive    // does not
};

/// Of arithmetic, atom and red. Compare-and-swap stores b where the old value is a.
enum class operation : std::uint8_t {
  add,
  sub,
  mul,
  div,
  bit_and,
  bit_or,
  bit_xor,
  exchange,
  compare_and_swap
};

/// A register of the instruction's thread, or an integer.
struct operand {
  bool is_register = false;
  std::uint32_t index = 0;  // of the register, in the thread's list
  value integer = 0;

  friend bool operator==(const operand&, const operand&) = default;
};

struct instruction {
  opcode code = opcode::move;
  memory_order order = memory_order::weak;
  litmus::scope scope = litmus::scope::none;
  litmus::operation operation = litmus::operation::add;
  litmus::comparison comparison = litmus::comparison::equal;
  std::uint32_t destination = 0;  // a register
  std::uint32_t location = 0;
  operand a, b;
  std::uint32_t target = 0;  // an instruction of the thread, or their number: the end
  value instance = 0;        // of a barrier
  std::optional<operand> resource, quorum;
  std::uint32_t line = 0;  // in the file, from 1
  std::string text;        // as written, with single blanks

  [[nodiscard]] bool is_barrier() const {
    return code == opcode::barrier || code == opcode::arrive;
  }
};

/// Where a thread runs. A CTA is told by all three numbers, a cluster by two of them. Without a
/// cluster of its own, a CTA is a cluster by itself.
struct placement {
  value gpu = 0;
  std::optional<value> cluster;
  value cta = 0;
};

struct thread {
  placement place;
  std::vector<instruction> instructions;
  std::vector<std::string> registers;
  std::vector<value> initial;  // of the registers
};

struct program {
  std::vector<thread> threads;
  std::vector<std::string> locations;
  std::vector<value> initial;  // of the locations
  condition final;
};

/// A file that is no litmus test: "file:line:column: what; remedy".
struct syntax_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The smallest scope of `p`'s threads `a` and `b` that contains both.
scope common_scope(const program& p, std::uint32_t a, std::uint32_t b);

std::string_view name(scope s);

/// "P1:r0", "x"
std::string name(const program& p, const variable& v);

}  // namespace litmus
