// A move from a stack to the same stack, which the thesis leaves out: both words of the DCAS are
// one, and the element is lost.
#pragma once

#include <simt/spec.hpp>

#include "containers_of.hpp"

/// A stack whose top may be moved to its top, which changes nothing.
struct stack_with_moves {
  static constexpr const char* name = "stack_with_moves";
  enum : std::uint32_t { push_a, pop_a, move_aa };

  static std::vector<simt::spec::operation> operations() {
    using simt::spec::type;
    return {{"push_a", {{"value", type::value}}, type::nothing},
            {"pop_a", {}, type::maybe_value, "empty"},
            {"move_aa", {}, type::boolean}};
  }
  void apply(const simt::spec::state& before, const simt::spec::call& what,
             simt::spec::outcomes& out) const {
    simt::spec::state after = before;
    if (what.operation == move_aa) return out.add(simt::spec::some(before.empty() ? 0 : 1), after);
    if (what.operation == push_a) {
      after.push_back(what.arguments[0]);
      return out.add(simt::spec::none, after);
    }
    if (before.empty()) return out.add(simt::spec::none, after);
    after.pop_back();
    out.add(simt::spec::some(before.back()), after);
  }
};
SIMT_SPEC(stack_with_moves);

SIMT_OPERATION(move_aa);

struct stack_itself : containers_of<movable_stack, movable_stack, double_word_faults{}> {
  using operations =
      simt::operation_list<simt_operation_push_a, simt_operation_pop_a, simt_operation_move_aa>;
  static constexpr const char* spec = "stack_with_moves";

  SIMT_FN bool move_aa() { return move(a, a); }
};
SIMT_SUBJECT(stack_itself);
