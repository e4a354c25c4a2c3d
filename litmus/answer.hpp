// What a memory model answers to a litmus test.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "litmus/candidates.hpp"

namespace litmus {

/// An execution, and the completion that makes it allowed, for reports. Refers to the program.
struct witness {
  execution x;
  completion with;
  std::vector<std::vector<value>> registers;  // by thread, at the end
  std::vector<value> memory;                  // by location, at the end
  std::vector<thread_status> status;          // by thread
};

struct outcome {
  std::vector<value> values;     // of answer::observed
  std::uint64_t executions = 0;  // that can end so
  bool satisfies = false;        // the condition's formula
};

/// Two conflicting accesses that causality does not order and that are not morally strong.
struct race {
  std::uint32_t thread = 0, other_thread = 0;
  std::uint32_t instruction = 0, other_instruction = 0;
  std::uint32_t location = 0;

  friend auto operator<=>(const race&, const race&) = default;
};

struct answer {
  std::vector<variable> observed;
  std::vector<outcome> outcomes;  // in the order of their values
  std::uint64_t executions = 0;   // complete and allowed
  coverage covered;
  bool undefined = false;  // some execution divides by zero, or leaves 64 bits

  /// Whether the test's statement is true. Empty: a bound was hit before the answer was known.
  std::optional<bool> holds;
  /// Whether every execution ends, if all threads and memory are fair.
  std::optional<bool> terminates;
  std::vector<race> races;    // each pair of instructions once; ptx only
  bool races_covered = true;  // false: a bound was hit, there may be more

  /// An execution that satisfies the formula, one that does not, and one that never ends, if found.
  std::optional<witness> satisfying, contradicting, endless;
};

/// The answer of a model. Only tests drop clauses in `options.rules`. The answer's executions refer
/// to `p`.
answer evaluate(const program& p, const candidate_options& options);

/// Finds a complete execution in which the condition's formula is true, or false, and stops there.
/// If there is none and a bound was hit, `all` becomes false.
std::optional<witness> find_execution(const program& p, const candidate_options& options,
                                      bool formula_is, bool& all);

}  // namespace litmus
