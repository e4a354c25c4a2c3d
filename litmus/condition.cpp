// Evaluates formulas over the final values of registers and locations.
#include "litmus/condition.hpp"

#include <set>

namespace litmus {

namespace {

void collect(const formula& f, std::set<variable>& registers, std::set<variable>& locations) {
  for (const condition_operand* operand : {&f.left, &f.right}) {
    if (!operand->is_variable) continue;
    (operand->variable.is_register ? registers : locations).insert(operand->variable);
  }
  for (const formula& child : f.children) collect(child, registers, locations);
}

}  // namespace

bool holds(comparison how, value a, value b) {
  switch (how) {
    case comparison::equal: return a == b;
    case comparison::not_equal: return a != b;
    case comparison::less: return a < b;
    case comparison::less_equal: return a <= b;
    case comparison::greater: return a > b;
    case comparison::greater_equal: return a >= b;
  }
  return false;
}

bool formula::holds(const std::function<value(const litmus::variable&)>& of) const {
  const auto number = [&](const condition_operand& operand) {
    return operand.is_variable ? of(operand.variable) : operand.integer;
  };
  switch (what) {
    case kind::comparison: return litmus::holds(comparison, number(left), number(right));
    case kind::conjunction: return children[0].holds(of) && children[1].holds(of);
    case kind::disjunction: return children[0].holds(of) || children[1].holds(of);
    case kind::negation: return !children[0].holds(of);
  }
  return false;
}

std::vector<variable> condition::variables() const {
  std::set<variable> registers, locations;
  collect(formula, registers, locations);
  std::vector<variable> all(registers.begin(), registers.end());
  all.insert(all.end(), locations.begin(), locations.end());
  return all;
}

}  // namespace litmus
