// A litmus test as a value: threads with their places, instructions, initial values, condition.
// The dialect is in docs/litmus.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "litmus/condition.hpp"

namespace litmus {

/// The threads that an operation is meant for, from narrow to wide. `none`: the operation is weak,
/// or has no scope.
enum class scope : std::uint8_t { none, cta, cluster, gpu, sys };

enum class memory_order : std::uint8_t { weak, relaxed, acquire, release, acq_rel, sc };

/// The method of an access. A fence.proxy names the method that it orders with the generic one.
/// `alias`: of a fence only, between several addresses of one location.
enum class proxy : std::uint8_t { generic, constant, texture, surface, async, alias };

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
  arrive,   // does not
  copy      // starts the thread `target`, which is an asynchronous copy
};

/// The operation of arithmetic, atom and red. Compare-and-swap stores b if the old value is a.
/// Increment stores 0 if the old value is a or more. Decrement stores a if the old value is 0 or
/// more than a.
enum class operation : std::uint8_t {
  add,
  sub,
  mul,
  div,
  bit_and,
  bit_or,
  bit_xor,
  increment,
  decrement,
  minimum,
  maximum,
  exchange,
  compare_and_swap,
  arrive_at_mbarrier  // a more arrivals; b of them make a phase, with all bytes
                      // (litmus/mbarrier.hpp)
};

/// How a barrier combines the operands `a` of all its threads.
enum class reduction : std::uint8_t { none, popc, all, any };

/// The bits of a register that an access reads or writes: the lowest ones. Zeros or the sign fill
/// the others.
struct value_type {
  std::uint8_t bits = 64;
  bool is_signed = true;

  friend bool operator==(const value_type&, const value_type&) = default;
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
  litmus::proxy proxy = proxy::generic;
  litmus::reduction reduction = reduction::none;
  value_type type;
  bool is_volatile = false;       // which is relaxed, of system scope
  bool tests_mbarrier = false;    // a load: destination := is the phase of parity a over?
  value bytes = 0;                // an arrival: more that its mbarrier's phase has to wait for
  std::uint32_t destination = 0;  // a register
  std::uint32_t location = 0;
  std::uint32_t address = 0;  // of the location: 0, or a generic alias's number
  operand a, b;
  std::uint32_t target = 0;  // an instruction of the thread, or their number: the end
  value instance = 0;        // of a barrier
  std::optional<operand> resource, quorum;
  std::uint32_t line = 0;  // in the file, from 1
  std::string text;        // as written, with single blanks

  [[nodiscard]] bool is_of_mbarrier() const {
    return tests_mbarrier || operation == operation::arrive_at_mbarrier;
  }
  [[nodiscard]] bool is_barrier() const {
    return code == opcode::barrier || code == opcode::arrive;
  }
  /// A barrier of a cluster: its arrivals do not wait, and its waits do not arrive.
  [[nodiscard]] bool is_cluster_barrier() const { return is_barrier() && scope == scope::cluster; }
};

/// Where a thread runs. All three numbers identify a CTA, two of them a cluster. A CTA without a
/// cluster number forms a cluster by itself.
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
  /// If the thread is an asynchronous copy: the thread that starts it.
  std::optional<std::uint32_t> issuer;
};

/// Another name of a location. A generic alias is another address. The others are for accesses by
/// other proxies, to the address of the name that they alias.
struct alias {
  std::string name;
  litmus::proxy proxy = proxy::generic;
  std::uint32_t location = 0;
  std::uint32_t address = 0;
};

struct program {
  std::vector<thread> threads;
  std::vector<std::string> locations;
  std::vector<value> initial;  // of the locations
  std::vector<alias> aliases;
  /// By location that is an mbarrier: the arrivals that complete a phase.
  std::map<std::uint32_t, value> mbarriers;
  condition final;
};

/// The file is no litmus test. what() is "file:line:column: what; remedy".
struct syntax_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The smallest scope of `p`'s threads `a` and `b` that contains both.
scope common_scope(const program& p, std::uint32_t a, std::uint32_t b);

std::string_view name(scope s);
std::string_view name(proxy p);

/// "P1", "P1's copy"
std::string name_of_thread(const program& p, std::uint32_t thread);

/// "P1:r0", "x"
std::string name(const program& p, const variable& v);

}  // namespace litmus
