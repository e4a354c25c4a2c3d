// What a litmus test asks of the final state: a quantifier and a formula over registers and memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace litmus {

/// Integers have no bound in the dialect. If arithmetic leaves 64 bits, the test has no answer.
using value = std::int64_t;

enum class quantifier : std::uint8_t { exists, not_exists, forall };

enum class comparison : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };

bool holds(comparison how, value a, value b);

/// A register of a thread, or a location.
struct variable {
  bool is_register = false;
  std::uint32_t thread = 0;
  std::uint32_t index = 0;  // of the register in its thread, or of the location

  friend auto operator<=>(const variable&, const variable&) = default;
};

/// A variable, or an integer.
struct condition_operand {
  bool is_variable = false;
  litmus::variable variable;
  value integer = 0;
};

/// A formula, as a tree. A comparison has no children, a negation has one child, the others two.
struct formula {
  enum class kind : std::uint8_t { comparison, conjunction, disjunction, negation };
  kind what = kind::comparison;
  litmus::comparison comparison = litmus::comparison::equal;
  condition_operand left, right;
  std::vector<formula> children;

  [[nodiscard]] bool holds(const std::function<value(const litmus::variable&)>& of) const;
};

struct condition {
  litmus::quantifier quantifier = quantifier::exists;
  litmus::formula formula;
  std::string text;  // as written, with single blanks

  /// All variables of the formula, each once: registers in the order of threads, then locations.
  [[nodiscard]] std::vector<variable> variables() const;
};

}  // namespace litmus
