// What operations of random programs store and expect, for all generators alike.
#pragma once

#include "tests/naive/random.hpp"
#include "tests/weak/program.hpp"

namespace weak {

/// Chooses what the operation stores or adds, and of a compare-exchange what it expects and its
/// order where it fails.
inline void choose_operands(operation& op, naive::random_source& random) {
  op.value = op.kind == operation_kind::add ? 1 : 1 + random.below(2);
  if (op.kind != operation_kind::compare_exchange) return;
  op.expected = random.below(3);
  if (random.percent(30)) {
    using enum memory_order;
    op.failure = random.one_of({relaxed, acquire, seq_cst});
  }
}

}  // namespace weak
